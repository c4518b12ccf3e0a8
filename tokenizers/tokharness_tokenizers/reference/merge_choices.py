"""Other choices of the pair that byte-pair encoding merges next.

Ports depart in the order of merges (the rightmost of equal pairs, the highest rank), and at the
ends of a loop: a pair at an end of a pre-token, or its only pair, is never looked at.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Part = TypeVar("Part")

Pair: TypeAlias = "tuple[int, int]"
"""The rank of a pair that can be merged, and its place among the parts."""

Choose: TypeAlias = "Callable[[Sequence[Pair], int], Pair | None]"
"""Returns the pair that is merged next, of such pairs and the number of parts."""


def merged_by(
    choose: Choose,
    parts: list[Part],
    rank_of: Callable[[Part, Part], int | None],
    join: Callable[[Part, Part], Part],
) -> list[Part]:
    """Return parts after all merges that are chosen; in quadratic time."""
    ranks = [rank_of(left, right) for left, right in pairwise(parts)]
    while True:
        pairs = [(rank, at) for at, rank in enumerate(ranks) if rank is not None]
        chosen = choose(pairs, len(parts)) if pairs else None
        if chosen is None:
            return parts
        at = chosen[1]
        parts[at : at + 2] = [join(parts[at], parts[at + 1])]
        del ranks[at]
        for left in range(max(at - 1, 0), min(at + 1, len(ranks))):
            ranks[left] = rank_of(parts[left], parts[left + 1])


def _rightmost(pairs: Sequence[Pair], _: int) -> Pair:
    return min(pairs, key=lambda pair: (pair[0], -pair[1]))


def _highest_rank(pairs: Sequence[Pair], _: int) -> Pair:
    return min(pairs, key=lambda pair: (-pair[0], pair[1]))


def _but_first(pairs: Sequence[Pair], _: int) -> Pair | None:
    return min((pair for pair in pairs if pair[1]), default=None)


def _but_last(pairs: Sequence[Pair], size: int) -> Pair | None:
    return min((pair for pair in pairs if pair[1] < size - 2), default=None)


def _but_only(pairs: Sequence[Pair], size: int) -> Pair | None:
    return min(pairs) if size > 2 else None


CHOICES: Final[Mapping[str, Choose]] = {
    "the rightmost of equal pairs is merged first": _rightmost,
    "the pair with the highest rank is merged first": _highest_rank,
    "the first pair of a pre-token is not merged": _but_first,
    "the last pair of a pre-token is not merged": _but_last,
    "the last two tokens of a pre-token are not merged": _but_only,
}
"""What is chosen, in a few words, and the choice."""
