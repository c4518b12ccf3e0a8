"""Learning merges in the plainest form: count all pairs, merge a pair everywhere, count again.

The loop is algorithm 1 of Sennrich et al. 2016. The choice of the next pair is a parameter, since
BPE and WordPiece only differ in this choice. This is the algorithm to read; only tests call it.
"""

from __future__ import annotations

import operator
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Symbol = TypeVar("Symbol", bytes, str)

Choose: TypeAlias = (
    "Callable[[Mapping[tuple[Symbol, Symbol], int], Mapping[Symbol, int]],"
    " tuple[Symbol, Symbol] | None]"
)
"""Returns the pair to merge, or None, for the counts of pairs and of symbols."""


def learn(
    words: Mapping[tuple[Symbol, ...], int],
    choose: Choose[Symbol],
    join: Callable[[Symbol, Symbol], Symbol] = operator.add,
) -> Iterator[tuple[Symbol, Symbol]]:
    """Yield the merges that are learned from words, in order; ``words`` maps symbols to counts.

    The counts that ``choose`` gets have the order in which the words have pairs and symbols.
    """
    parts = [list(word) for word in words]
    while True:
        symbols: dict[Symbol, int] = {}
        pairs: dict[tuple[Symbol, Symbol], int] = {}
        for word, count in zip(parts, words.values(), strict=True):
            for symbol in word:
                symbols[symbol] = symbols.get(symbol, 0) + count
            for pair in pairwise(word):
                pairs[pair] = pairs.get(pair, 0) + count
        chosen = choose(pairs, symbols)
        if chosen is None:
            return
        yield chosen
        for word in parts:
            _merge(word, chosen, join)


def _merge(
    word: list[Symbol], pair: tuple[Symbol, Symbol], join: Callable[[Symbol, Symbol], Symbol]
) -> None:
    at = 0
    while at + 1 < len(word):
        if (word[at], word[at + 1]) == pair:
            word[at : at + 2] = [join(*pair)]
        at += 1


def most_frequent(
    pairs: Mapping[tuple[Symbol, Symbol], int], minimum: int = 2
) -> list[tuple[Symbol, Symbol]]:
    """Return the most frequent pairs; none if they occur less than ``minimum`` times."""
    most = max(pairs.values(), default=0)
    return [pair for pair, count in pairs.items() if count == most] if most >= minimum else []
