"""Texts that Hypothesis draws from the strategies of families, a few families per round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.fuzzing.sources.mutations import pairs
from tokharness.engine.worker.units import draw_from_family

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from tokharness.model import TargetFacts
    from tokharness.plugins import Family

FAMILIES_PER_ROUND = 4
TEXTS_PER_FAMILY = 40
"""Texts drawn from each family in a round. Drawing a text costs ten times as much as running it,
so each text is run alone, joined with another text, and in a context."""


def draw_from_families(
    families: Sequence[Family], facts: TargetFacts, seed: int, turn: int
) -> list[str]:
    """Draw the texts of a turn from the next families in order; each lap draws different texts."""
    texts: list[str] = []
    for number in range(turn * FAMILIES_PER_ROUND, (turn + 1) * FAMILIES_PER_ROUND):
        family = families[number % len(families)]
        texts += draw_from_family(family, facts, TEXTS_PER_FAMILY, seed * 1_000_003 + number)
    return texts


def add_pairs(rng: random.Random, texts: Sequence[str]) -> list[str]:
    """Return the texts, each text joined with another text, and each text in a context."""
    return [*texts, *pairs(rng, texts)]
