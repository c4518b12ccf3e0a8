"""Texts that Hypothesis draws from the strategies of families, some families a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.fuzzing.splicing import pairs
from tokharness.engine.worker.random_cases import draw

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from tokharness.model import TargetFacts
    from tokharness.plugins import Family

__all__ = ["FAMILIES_PER_ROUND", "TEXTS_PER_FAMILY", "add_pairs", "draw_from_families"]

FAMILIES_PER_ROUND = 4
TEXTS_PER_FAMILY = 40
"""Drawn of each family in a round. To draw one costs ten times what it costs to try it, so each
is tried alone, beside another and in a context."""


def draw_from_families(
    families: Sequence[Family], facts: TargetFacts, seed: int, turn: int
) -> list[str]:
    """Draw the texts of a turn; each turn has the next families, and each time around others."""
    texts: list[str] = []
    for number in range(turn * FAMILIES_PER_ROUND, (turn + 1) * FAMILIES_PER_ROUND):
        place = number % len(families)
        texts += draw(families[place].strategy(facts), TEXTS_PER_FAMILY, seed * 1_000_003 + number)
    return texts


def add_pairs(rng: random.Random, texts: Sequence[str]) -> list[str]:
    """Give the drawn texts, and each beside another and in a context."""
    return [*texts, *pairs(rng, texts)]
