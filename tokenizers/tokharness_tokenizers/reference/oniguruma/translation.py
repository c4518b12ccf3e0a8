"""Translate a pattern."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.oniguruma.named_classes import has_standins
from tokharness_tokenizers.reference.oniguruma.parts import Options
from tokharness_tokenizers.reference.oniguruma.reading import read_alternatives
from tokharness_tokenizers.reference.oniguruma.scanner import Scanner

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.classes import CharacterClass


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated pattern.

    ``expression`` is for ``regex`` with ``VERSION1``. ``ascii`` is for ``re`` and matches ASCII
    text in the same way; ``re`` may refuse it. ``classes`` has the classes and literals of the
    pattern. ``may_be_empty`` says whether it can match the empty text, and ``has_groups`` whether
    it captures, which it only does for back references.
    """

    expression: str
    ascii: str
    classes: frozenset[CharacterClass]
    may_be_empty: bool
    has_groups: bool

    def has_standins(self, version: str) -> bool:
        """Whether stand-ins make the expression match as in a Unicode version.

        They do if each class has the stand-in of a code point if and only if it has the code point
        in this version, and if no back reference compares characters.
        """
        return not self.has_groups and all(has_standins(node, version) for node in self.classes)


@lru_cache(maxsize=256)
def translate(pattern: str, *, version: str | None = None, explicit: bool = False) -> Translation:
    """Translate a pattern of Oniguruma.

    Case is ignored as in a Unicode version, if given. With ``explicit`` the expression lists the
    characters of each class in that version; else it has the properties of the installed ``regex``.

    Raises:
        ValueError: the pattern is wrong, or has a construct without translation.

    """
    scanner = Scanner(pattern, version, explicit)
    whole = read_alternatives(scanner, Options())
    if scanner.at < len(pattern):
        raise scanner.error("an unmatched ')'")
    return Translation(
        whole.expression,
        whole.ascii,
        frozenset(scanner.classes),
        whole.may_be_empty,
        scanner.has_references,
    )
