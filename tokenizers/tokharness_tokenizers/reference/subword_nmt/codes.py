"""The merges of a file of codes, and the subwords that they make of a word.

Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare Words with Subword Units": a
word is its characters and an end of the word. Of all pairs of neighbours in the list of merges, the
first pair in the list becomes one symbol, everywhere in the word. This is repeated until no pair is
in the list.

The file writes the end of a word as ``</w>``. In version 0.1 it is a symbol of its own, as in the
paper; in version 0.2 it belongs to the last character (the README of subword-nmt).

subword-nmt reads and writes text and has no ids. A subword is written with ``@@`` unless it is the
last subword of its word. ``<unk>`` has the id 0. The other subwords have the next ids, in the order
of the file of codes: for each merge the new characters, each as ``x@@`` and ``x``, and then the
symbol that it makes, as ``x@@``, or as ``x`` if it has the end of a word. In version 0.1 a symbol
has both forms, since the end is a symbol of its own.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

# Merge the symbols of a word (Sennrich et al. 2016): the textbook algorithm, and a faster one.
#
# Of all pairs of neighbours in the list of merges, the first pair in the list becomes one symbol,
# everywhere in the word; of overlapping places the leftmost counts. This is repeated until no pair
# is in the list. In :mod:`..models.bpe` a pair is merged at one place at a time; the result differs
# if the list has a pair before a pair that makes its symbols.

Pair: TypeAlias = tuple[str, str]
Places: TypeAlias = "Mapping[Pair, int]"
"""The place of each pair in the list of merges."""


def merge_short(symbols: list[str], places: Places) -> list[str]:
    """Merge the symbols of a word, which is searched again after each merge."""
    while known := [pair for pair in pairwise(symbols) if pair in places]:
        symbols = _joined(symbols, min(known, key=places.__getitem__))
    return symbols


def _joined(symbols: list[str], pair: Pair) -> list[str]:
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


def merge_long(symbols: list[str], places: Places) -> list[str]:
    """Merge as :func:`merge_short` does, with the positions of each pair: n log n in symbols."""
    symbols, size = list(symbols), len(symbols)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    positions: dict[Pair, list[int]] = {}
    heap: list[tuple[int, Pair]] = []

    def note(at: int) -> None:
        pair = symbols[at], symbols[after[at]]
        if pair in positions:
            positions[pair].append(at)
        elif pair in places:
            positions[pair] = [at]
            heapq.heappush(heap, (places[pair], pair))

    for at in range(size - 1):
        note(at)
    while heap:
        _, (left, right) = heapq.heappop(heap)
        for at in sorted(positions.pop((left, right))):
            middle = after[at]
            if symbols[at] != left or middle >= size or symbols[middle] != right:
                continue  # a part was merged since
            symbols[at], symbols[middle] = left + right, ""
            after[at] = after[middle]
            if after[at] < size:
                before[after[at]] = at
                note(at)
            if before[at] >= 0:
                note(before[at])
    return [symbol for symbol in symbols if symbol]


END: Final = "</w>"
VERSIONS: Final = ("0.1", "0.2")
LONG_WORD: Final = 100
"""Length of a word above which a list of the places of each pair is faster than a search."""


@dataclass(frozen=True)
class Codes:
    """The merges of a file.

    Attributes:
        merges: The pairs of symbols that are merged, in order. If a pair occurs twice in the list,
            its first place counts.
        version: The version of the file, which decides how the end of a word is represented.

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
        """Merge symbols; the last symbol may be, or contain, the end of a word."""
        merge = merge_short if len(symbols) < LONG_WORD else merge_long
        return merge(symbols, self._places)

    def _symbols(self, word: str) -> list[str]:
        if self.version == "0.1":
            return [*word, END]
        return [*word[:-1], word[-1] + END]


if TYPE_CHECKING:
    from collections.abc import Iterator


SEPARATOR: Final = "@@"
UNKNOWN: Final = "<unk>"


def written(subwords: list[str]) -> list[str]:
    """Return the subwords of a word as they are written."""
    return [subword + SEPARATOR for subword in subwords[:-1]] + subwords[-1:]


def vocabulary_of(codes: Codes) -> tuple[str, ...]:
    """Return the written subwords of a file of codes; the place of a subword is its id."""
    return tuple(dict.fromkeys(chain([UNKNOWN], _of_merges(codes))))


def _of_merges(codes: Codes) -> Iterator[str]:
    for pair in codes.merges:
        for char in dict.fromkeys("".join(symbol.removesuffix(END) for symbol in pair)):
            yield char + SEPARATOR
            yield char
        symbol = "".join(pair)
        text = symbol.removesuffix(END)
        if text == symbol:
            yield text + SEPARATOR
        if text != symbol or codes.version == "0.1":
            yield text
