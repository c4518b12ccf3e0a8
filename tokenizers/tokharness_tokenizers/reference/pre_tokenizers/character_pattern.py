"""Patterns over classes of characters, which are fast although the classes are large.

``re`` finds a character up to U+FFFF in a table, but tries the ranges above it one by one. So a
pattern is compiled three times: for ASCII text, for text in which all characters of the classes are
up to U+FFFF, and for all text.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.pre_tokenizers.cutting import Cutter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.pre_tokenizers.behaviors import Behavior

__all__ = ["BEHAVIOR_PATTERNS", "CharacterPattern", "ClassCutter"]

BEHAVIOR_PATTERNS: Final[dict[Behavior, str]] = {
    "Removed": "[^<C>]+",
    "Isolated": "[<C>]|[^<C>]+",
    "MergedWithPrevious": "[^<C>]+[<C>]?|[<C>]",
    "MergedWithNext": "[<C>]?[^<C>]+|[<C>]",
    "Contiguous": "[<C>]+|[^<C>]+",
}
"""What the pieces match if each character of the class C is a match that splits a text."""

_others = re.compile("[\U00010000-\U0010ffff]").findall


@dataclass(frozen=True)
class CharacterPattern:
    """A pattern of ``re``, in which ``<N>`` stands for the items of the class with the name N."""

    pattern: str
    classes: Mapping[str, frozenset[str]]

    def words(self, text: str) -> list[str]:
        """Return all matches."""
        found: list[str] = self._for(text).findall(text)
        return found

    def spans(self, text: str) -> list[Span]:
        """Return the place of each match."""
        return [match.span() for match in self._for(text).finditer(text)]

    def _for(self, text: str) -> re.Pattern[str]:
        if text.isascii():
            return self._ascii
        others = set(_others(text))
        return self._basic if others.isdisjoint(self._high) else self._full

    @cached_property
    def _high(self) -> frozenset[str]:
        """The characters of the classes above U+FFFF."""
        every = frozenset[str]().union(*self.classes.values())
        return frozenset(char for char in every if char >= "\U00010000")

    @cached_property
    def _ascii(self) -> re.Pattern[str]:
        return self._compile(0x80)

    @cached_property
    def _basic(self) -> re.Pattern[str]:
        return self._compile(0x10000)

    @cached_property
    def _full(self) -> re.Pattern[str]:
        return self._compile(0x110000)

    def _compile(self, end: int) -> re.Pattern[str]:
        pattern = self.pattern
        for name, chars in self.classes.items():
            points = [point for point in map(ord, chars) if point < end]
            pattern = pattern.replace(f"<{name}>", _items(points))
        return re.compile(pattern)


class ClassCutter(Cutter):
    """A pre-tokenizer whose pre-tokens are the matches of a pattern over classes of characters."""

    __slots__ = ()

    @property
    @abstractmethod
    def pattern(self) -> CharacterPattern:
        """The pattern."""

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        return self.pattern.words(text)

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        return self.pattern.spans(text)


def _items(points: list[int]) -> str:
    """Return what stands for code points between brackets."""
    runs = groupby(enumerate(sorted(points)), key=lambda item: item[1] - item[0])
    spans = [[point for _, point in run] for _, run in runs]
    return "".join(f"\\U{span[0]:08x}-\\U{span[-1]:08x}" for span in spans)
