"""Characters that differ only in case: simple case folding (UAX #44, ``CaseFolding.txt``)."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

import regex

from tokharness.unicode import versions
from tokharness.unicode.properties import members
from tokharness_tokenizers.reference.oniguruma.classes import Chars, Or
from tokharness_tokenizers.reference.oniguruma.named_classes import among

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.classes import CharacterClass

_CASED: Final = r"[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]"
_TURKIC: Final = "\u0130\u0131"
"""The letters I with and without a dot, which ``regex`` treats as differing only in case."""


@lru_cache(maxsize=4096)
def equivalents(char: str, version: str | None) -> frozenset[int]:
    """Return the characters with the same simple case folding, itself included."""
    if char in _TURKIC or not regex.match(_CASED, char):
        return frozenset({ord(char)})
    same = regex.findall(regex.escape(char), _foldable(), regex.IGNORECASE | regex.VERSION0)
    same = [other for other in same if other not in _TURKIC]
    if version is not None:
        assigned = [c for c in same if versions.category_in(c, version) != "Cn"]
        same = assigned if char in assigned else [char]
    return frozenset(map(ord, same))


def folded(node: CharacterClass, version: str | None) -> CharacterClass:
    """Return the class with all characters that differ from its characters only in case."""
    points = among(node, _foldable(), version)
    same = (equivalents(chr(point), version) for point in points)
    more = frozenset(chain.from_iterable(same)) - points
    return Or((node, Chars.of(more))) if more else node


def has_long_folding(node: CharacterClass, version: str | None) -> bool:
    """Whether a character of the class folds to several characters, as U+00DF to "ss"."""
    return any(len(chr(p).casefold()) > 1 for p in among(node, _foldable(), version))


@cache
def long_foldings() -> frozenset[str]:
    """Return all foldings of a character to several characters; the same since Unicode 5.1."""
    return frozenset(fold for char in _foldable() if len(fold := char.casefold()) > 1)


@cache
def _foldable() -> str:
    return "".join(map(chr, members(_CASED)))
