"""The characters that a class has in a Unicode version, and whether stand-ins are right for it.

For code points whose category is the same as in the installed ``regex``, ``regex`` has the answer.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import regex

from tokharness.unicode import versions
from tokharness.unicode.properties import members
from tokharness_tokenizers.reference.oniguruma.classes import Chars

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.classes import CharacterClass

__all__ = ["among", "every_character", "has_standins"]


def among(node: CharacterClass, text: str, version: str | None) -> frozenset[int]:
    """Return which characters of a text a class has in a version."""
    points = _now_among(node, text)
    if version is None:
        return points
    changed = _changed(version)
    return (points - changed) | node.among(changed.intersection(map(ord, text)), version)


@lru_cache(maxsize=256)
def every_character(node: CharacterClass, version: str) -> Chars:
    """Return all characters that a class has in a version."""
    changed = _changed(version)
    points = frozenset(members(f"(?V1){node.expression()}"))
    return Chars.of((points - changed) | node.among(changed, version))


def has_standins(node: CharacterClass, version: str) -> bool:
    """Whether a class has the stand-in of a code point if it has the code point in the version.

    That is so for general categories, but not for all scripts and literals.
    """
    table = versions.standins(version, versions.REGEX_VERSION)
    if isinstance(node, Chars) and not node.among(_concerned(version), version):
        return True
    found = _now_among(node, "".join(map(chr, frozenset(table.values()))))
    standing_for = frozenset(point for point, image in table.items() if image in found)
    return node.among(frozenset(table), version) == standing_for


def _now_among(node: CharacterClass, text: str) -> frozenset[int]:
    if isinstance(node, Chars):
        return node.among(frozenset(map(ord, text)), versions.REGEX_VERSION)
    return frozenset(map(ord, regex.findall(node.expression(), text, regex.VERSION1)))


@cache
def _concerned(version: str) -> frozenset[int]:
    """Return the code points that have stand-ins, and these."""
    table = versions.standins(version, versions.REGEX_VERSION)
    return frozenset(table) | frozenset(table.values())


@cache
def _changed(version: str) -> frozenset[int]:
    return frozenset(versions.changed(version, versions.REGEX_VERSION))
