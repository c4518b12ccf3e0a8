"""Millions of short texts, generated on demand: blocks of one prefix and a table of tails.

A slice of a block is one ``map`` over a part of its table, so 32,768 texts take a few milliseconds,
and a family of ten million texts only needs the memory of its blocks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, product
from typing import TYPE_CHECKING, overload

from tokharness.model import Case

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Block:
    """The texts of ``prefix`` with each of ``tails``, in the order of the tails."""

    prefix: str
    tails: tuple[str, ...]
    why: str

    def part(self, start: int, stop: int) -> Iterable[str]:
        """Return the texts from index ``start`` to before ``stop``."""
        tails = self.tails[start:stop]
        return map(self.prefix.__add__, tails) if self.prefix else tails


class Blocks(Sequence[str]):
    """The texts of blocks, one block after another."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = tuple(block for block in blocks if block.tails)
        self._starts = (0, *accumulate(len(block.tails) for block in self._blocks))

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(block.part(0, len(block.tails)) for block in self._blocks)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step == 1:
                return list(chain.from_iterable(self._parts(start, stop)))
            return [self[index] for index in range(start, stop, step)]
        place = range(len(self))[place]
        return next(iter(next(self._parts(place, place + 1))))

    def _parts(self, start: int, stop: int) -> Iterator[Iterable[str]]:
        number = bisect_right(self._starts, start) - 1
        while start < stop:
            first, end = self._starts[number], min(stop, self._starts[number + 1])
            yield self._blocks[number].part(start - first, end - first)
            start, number = end, number + 1

    def cases(self) -> Iterator[Case]:
        """Yield the texts in order, each with the reason of its block."""
        for block in self._blocks:
            why = block.why
            for text in block.part(0, len(block.tails)):
                yield Case(text, why)


def word_blocks(
    letters: str,
    length: int,
    why: str,
    excluded: frozenset[str] = frozenset(),
    tail_length: int = 2,
) -> Iterator[Block]:
    """Yield every string of a length over an alphabet, without strings over ``excluded`` alphabets.

    ``excluded`` has subsets of ``letters``, each sorted. A block has the tails of ``tail_length``
    letters.
    """
    ahead = max(length - tail_length, 0)
    for prefix in all_words(letters, ahead):
        # Only an alphabet that has the whole prefix can have the whole text.
        over = frozenset(alphabet for alphabet in excluded if set(prefix) <= set(alphabet))
        yield Block(prefix, _tails(letters, length - ahead, over), why)


def all_words(letters: str, length: int) -> Iterator[str]:
    """Return every string of a length over an alphabet, in the order of its letters."""
    return map("".join, product(letters, repeat=length))


@lru_cache(maxsize=1024)
def _tails(letters: str, length: int, excluded: frozenset[str]) -> tuple[str, ...]:
    left_out = {word for alphabet in excluded for word in all_words(alphabet, length)}
    tails = all_words(letters, length)
    return tuple(word for word in tails if word not in left_out) if left_out else tuple(tails)
