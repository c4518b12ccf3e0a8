"""Very many short texts, made as they are asked for: blocks of one prefix and a table of tails.

A slice of a block is one ``map`` over a part of its table, so 32,768 texts take a few
milliseconds, and a family of ten million costs the memory of its blocks.
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

__all__ = ["Block", "Blocks", "all_words", "words"]


@dataclass(frozen=True, slots=True)
class Block:
    """The texts that begin with ``prefix`` and end in one of ``tails``, in the order of those."""

    prefix: str
    tails: tuple[str, ...]
    why: str

    def part(self, start: int, stop: int) -> Iterable[str]:
        """The texts from one place to before another."""
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
            return [self[each] for each in range(start, stop, step)]
        place = range(len(self))[place]
        return next(iter(next(self._parts(place, place + 1))))

    def _parts(self, start: int, stop: int) -> Iterator[Iterable[str]]:
        number = bisect_right(self._starts, start) - 1
        while start < stop:
            first, end = self._starts[number], min(stop, self._starts[number + 1])
            yield self._blocks[number].part(start - first, end - first)
            start, number = end, number + 1

    def cases(self) -> Iterator[Case]:
        """The texts in their order, each with the reason of its block."""
        for block in self._blocks:
            why = block.why
            for text in block.part(0, len(block.tails)):
                yield Case(text, why)


def words(
    letters: str, length: int, why: str, known: frozenset[str] = frozenset(), table: int = 2
) -> Iterator[Block]:
    """Every string of a length over an alphabet, but those over an alphabet in ``known``.

    ``known`` has subsets of ``letters``, each sorted. ``table`` is the length of the tails.
    """
    ahead = max(length - table, 0)
    for prefix in all_words(letters, ahead):
        # Only what all of the prefix belongs to can hold the whole text.
        over = frozenset(each for each in known if set(prefix) <= set(each))
        yield Block(prefix, _tails(letters, length - ahead, over), why)


def all_words(letters: str, length: int) -> Iterator[str]:
    """Every string of a length over an alphabet, in the order of its letters."""
    return map("".join, product(letters, repeat=length))


@lru_cache(maxsize=1024)
def _tails(letters: str, length: int, known: frozenset[str]) -> tuple[str, ...]:
    left_out = {word for each in known for word in all_words(each, length)}
    tails = all_words(letters, length)
    return tuple(word for word in tails if word not in left_out) if left_out else tuple(tails)
