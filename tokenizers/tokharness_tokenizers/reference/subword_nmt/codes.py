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
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.subword_nmt.merging import merge_long, merge_short

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.subword_nmt.merging import Pair

__all__ = ["END", "VERSIONS", "Codes"]

END: Final = "</w>"
VERSIONS: Final = ("0.1", "0.2")
LONG_WORD: Final = 100
"""Characters from which a list of the places of each pair is faster than a search of the word."""


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
        *front, last = self.merged(self._symbols(word))
        last = last.removesuffix(END)
        return [*front, last] if last else front

    def merged(self, symbols: list[str]) -> list[str]:
        """Merge symbols, of which the last may be, or have, the end of a word."""
        merge = merge_short if len(symbols) < LONG_WORD else merge_long
        return merge(symbols, self._places)

    def _symbols(self, word: str) -> list[str]:
        if self.version == "0.1":
            return [*word, END]
        return [*word[:-1], word[-1] + END]
