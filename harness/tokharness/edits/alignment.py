"""Components of a changed list, paired with the components that they replace."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SAME_KIND = 3.0
"""How much two components of one kind are worth as a pair, compared with any two components."""

MAX_PAIRS = 400
"""Most pairs that are compared; components of longer lists are paired by their places."""

MAX_TEXT = 200
"""Most characters of a component that are compared for likeness."""


def aligned(
    old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]
) -> list[tuple[int | None, int | None]]:
    """Return pairs of places, in order: of an old component, and of the new component for it.

    A component has a kind and a text. Pairs keep the order of both lists: first pairs of one kind
    count, then the number of pairs, then the likeness of their texts. A place is None for a
    component that only one list has.
    """
    if len(old) * len(new) > MAX_PAIRS:
        places = zip_longest(range(len(old)), range(len(new)))
        return list(places)
    best: list[list[tuple[float, tuple[int, int]]]] = [[(0.0, (0, 0))] * (len(new) + 1)]
    for at, one in enumerate(old):
        row = [(0.0, (1, 0))]
        for to, other in enumerate(new):
            pair = best[at][to][0] + _likeness(one, other)
            row.append(max((pair, (1, 1)), (best[at][to + 1][0], (1, 0)), (row[to][0], (0, 1))))
        best.append(row)
    pairs: list[tuple[int | None, int | None]] = []
    at, to = len(old), len(new)
    while at or to:
        down, right = best[at][to][1] if at and to else (1, 0) if at else (0, 1)
        at, to = at - down, to - right
        pairs.append((at if down else None, to if right else None))
    return pairs[::-1]


def _likeness(one: tuple[str, str], other: tuple[str, str]) -> float:
    worth = SAME_KIND if one[0] == other[0] else 1.0
    before, now = (f"{kind} {text}"[:MAX_TEXT] for kind, text in (one, other))
    return worth + SequenceMatcher(None, before, now, autojunk=False).ratio() / 2
