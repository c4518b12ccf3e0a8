"""Texts that cover every scalar value in turn, between contexts that reveal a split."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tokharness.engine.fuzzing.sources.splicing import CONTEXTS
from tokharness.unicode import properties

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

HOMOGENEOUS = r"\p{Han}\p{Hangul}\p{Tangut}\p{Khitan_Small_Script}\p{Nushu}"
"""Scripts of thousands of characters that tokenizers treat alike, with rare exceptions."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk through code points: how many are in a text, and between two of its contexts."""

    expression: str
    per_text: int
    per_gap: int
    max_texts: int


DIVERSE = Walk(rf"[^\p{{Cn}}\p{{Co}}\p{{Cs}}{HOMOGENEOUS}]", 5, 1, 1500)
WALKS = (
    DIVERSE,
    Walk(rf"[{HOMOGENEOUS}\uE000-\uF8FF]", 24, 6, 1000),
    DIVERSE,
    Walk(r"\P{Cs}", 40, 10, 1000),
)
"""One walk per turn; diverse characters come every other turn."""


def code_point_texts(rng: random.Random, seed: int, turn: int, count: int) -> list[str]:
    """Return the texts of a turn."""
    cycle, index = divmod(turn, len(WALKS))
    walk = WALKS[index]
    step = min(count, walk.max_texts) * walk.per_text
    # A walk that occurs twice in a cycle continues each time.
    before = cycle * WALKS.count(walk) + WALKS[:index].count(walk)
    points = _walk(properties.members(walk.expression), seed, before * step, step)
    characters = list(map(chr, points))
    contexts = iter(rng.choices(CONTEXTS, k=step // walk.per_gap + step // walk.per_text))
    texts = []
    for start in range(0, step, walk.per_text):
        inside = [next(contexts)]
        for first in range(start, start + walk.per_text, walk.per_gap):
            inside += (*characters[first : first + walk.per_gap], next(contexts))
        texts.append("".join(inside))
    return texts


def _walk(points: Sequence[int], seed: int, start: int, count: int) -> list[int]:
    """Return a part of a walk that visits every point once per lap.

    The step has no factor in common with the number of points. It differs between laps, so that
    different points are neighbours.
    """
    total = len(points)
    visited = []
    for index in range(start, start + count):
        lap, place = divmod(index, total)
        visited.append(points[(place * _step(total, seed + lap) + seed) % total])
    return visited


@cache
def _step(total: int, seed: int) -> int:
    from math import gcd

    step = total * 618 // 1000 + seed % 997
    while gcd(step, total) != 1:
        step += 1
    return step
