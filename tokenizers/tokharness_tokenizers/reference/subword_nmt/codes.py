"""The merges of a file of codes, and the subwords that they make of a word.

Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare Words with Subword Units": a
word is its characters and an end of the word; of all pairs of neighbours that are in the list of
merges, the one that is first in the list becomes one symbol, everywhere in the word, until no pair
is in the list.

The file writes the end of a word as ``</w>``. In version 0.1 it is a symbol of its own, as in the
paper; in version 0.2 it belongs to the last character (the README of subword-nmt).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["END", "VERSIONS", "Codes", "Pair"]

Pair: TypeAlias = tuple[str, str]

END: Final = "</w>"
VERSIONS: Final = ("0.1", "0.2")


@dataclass(frozen=True)
class Codes:
    """The merges of a file.

    Attributes:
        merges: The pairs of symbols that are merged, first ones first. Of a pair that is in the
            list twice, the first place counts.
        version: The version of the file, which says what the end of a word is.

    """

    merges: tuple[Pair, ...] = field(repr=False)
    version: str = "0.2"

    @cached_property
    def _places(self) -> Mapping[Pair, int]:
        return {pair: place for place, pair in reversed([*enumerate(self.merges)])}

    def subwords(self, word: str) -> list[str]:
        """Return the subwords of a word, which joined are the word.

        A word of one character is a subword: no merge makes it longer.
        """
        if len(word) < 2:
            return [word] if word else []
        symbols = self._merged(self._symbols(word))
        *front, last = symbols
        last = last.removesuffix(END)
        return [*front, last] if last else front

    def _symbols(self, word: str) -> list[str]:
        if self.version == "0.1":
            return [*word, END]
        return [*word[:-1], word[-1] + END]

    def _merged(self, symbols: list[str]) -> list[str]:
        places = self._places
        while known := [pair for pair in pairwise(symbols) if pair in places]:
            first = min(known, key=places.__getitem__)
            symbols = _joined(symbols, first)
        return symbols


def _joined(symbols: list[str], pair: Pair) -> list[str]:
    """Make one symbol of a pair at all places; of those that overlap, the leftmost counts."""
    joined: list[str] = []
    at = 0
    while at < len(symbols):
        if symbols[at] == pair[0] and symbols[at + 1 : at + 2] == [pair[1]]:
            joined.append(pair[0] + pair[1])
            at += 2
        else:
            joined.append(symbols[at])
            at += 1
    return joined
