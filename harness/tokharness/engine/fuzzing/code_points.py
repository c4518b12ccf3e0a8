"""Every scalar value by turns: some in a text, between what reveals how they are split."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tokharness.engine.fuzzing.splicing import CONTEXTS
from tokharness.unicode import properties

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

__all__ = ["code_point_texts"]

ALIKE = r"\p{Han}\p{Hangul}\p{Tangut}\p{Khitan_Small_Script}\p{Nushu}"
"""Scripts of thousands of characters that are treated alike, but for one at times."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Which points are walked through: so many in a text, so many of them between two contexts."""

    expression: str
    in_a_text: int
    together: int
    most_texts: int


DIFFERENT = Walk(rf"[^\p{{Cn}}\p{{Co}}\p{{Cs}}{ALIKE}]", 5, 1, 1500)
WALKS = (
    DIFFERENT,
    Walk(rf"[{ALIKE}\uE000-\uF8FF]", 24, 6, 1000),
    DIFFERENT,
    Walk(r"\P{Cs}", 40, 10, 1000),
)
"""One a turn: what differs every other time, and between that what is mostly treated alike."""


def code_point_texts(rng: random.Random, seed: int, turn: int, count: int) -> list[str]:
    """Give the texts of a turn."""
    cycle, place = divmod(turn, len(WALKS))
    walk = WALKS[place]
    step = min(count, walk.most_texts) * walk.in_a_text
    # Of a walk that comes twice in a cycle each time is the next.
    before = cycle * WALKS.count(walk) + WALKS[:place].count(walk)
    points = _walked(properties.members(walk.expression), seed, before * step, step)
    chosen = list(map(chr, points))
    around = iter(rng.choices(CONTEXTS, k=step // walk.together + step // walk.in_a_text))
    texts = []
    for start in range(0, step, walk.in_a_text):
        inside = [next(around)]
        for first in range(start, start + walk.in_a_text, walk.together):
            inside += (*chosen[first : first + walk.together], next(around))
        texts.append("".join(inside))
    return texts


def _walked(points: Sequence[int], seed: int, start: int, count: int) -> list[int]:
    """Some of a walk that comes to every point before it comes to one again.

    A step that shares no factor with the number of points, changed with each time around, so that
    other ones meet.
    """
    total = len(points)
    found = []
    for index in range(start, start + count):
        lap, place = divmod(index, total)
        found.append(points[(place * _step(total, seed + lap) + seed) % total])
    return found


@cache
def _step(total: int, seed: int) -> int:
    from math import gcd

    step = total * 618 // 1000 + seed % 997
    while gcd(step, total) != 1:
        step += 1
    return step
