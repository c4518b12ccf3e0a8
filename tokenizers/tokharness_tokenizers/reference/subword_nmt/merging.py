"""Merge the symbols of a word (Sennrich et al. 2016): the textbook algorithm, and a faster one.

Of all pairs of neighbours that are in the list of merges, the one that is first in the list becomes
one symbol, everywhere in the word; of places that overlap the leftmost counts. This is repeated
until no pair is in the list. In :mod:`..models.bpe` a pair is merged at one place at a time, which
differs where the list has a pair before one that makes its symbols.
"""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Pair", "merge_long", "merge_short"]

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
                continue  # one of the two was merged since
            symbols[at], symbols[middle] = left + right, ""
            after[at] = after[middle]
            if after[at] < size:
                before[after[at]] = at
                note(at)
            if before[at] >= 0:
                note(before[at])
    return [symbol for symbol in symbols if symbol]
