"""Units of work: a family's texts, enumerated and random, cut into numbered parts.

Where the cuts are depends on the number of texts alone, so that a unit is the same for any number
of workers and in a run that is resumed.
"""

from __future__ import annotations

import gc
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from tokharness.engine.worker.random_cases import draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.config import Profile
    from tokharness.model import TargetFacts
    from tokharness.plugins import Family

__all__ = ["FamilyTexts", "sample_evenly"]

Item = TypeVar("Item")

PARTS = 32
FEWEST, MOST = 256, 32_768


def sample_evenly(items: Sequence[Item], most: int) -> Sequence[Item]:
    """All of the items, or so many of them, evenly over all."""
    if len(items) <= most:
        return items
    return [items[place * len(items) // most] for place in range(most)]


class FamilyTexts:
    """The texts of a family that a profile tries, made when the first of its units is asked for."""

    def __init__(
        self, family: Family, facts: TargetFacts, profile: Profile, examples: int, seed: int
    ) -> None:
        self.family, self._facts, self._profile = family, facts, profile
        self._examples, self._seed = examples, seed

    @cached_property
    def _enumerated(self) -> Sequence[str]:
        first, every = self._profile.first, self._profile.every
        gc.disable()  # hundreds of thousands of cases, of which none is garbage before all are made
        try:
            texts = self.family.texts(self._facts)
        finally:
            gc.enable()
        if every == 1 or self.family.exhaustive or self.family.replayed:
            return texts
        return [*texts[:first], *texts[first::every]]

    @cached_property
    def _random(self) -> Sequence[str]:
        # None are enumerated where the profile leaves the family out; one that is replayed draws
        # from those.
        if not self._enumerated or self.family.replayed:
            return []
        return draw(self.family.strategy(self._facts), self._examples, self._seed)

    @property
    def _all(self) -> int:
        return len(self._enumerated) + len(self._random)

    @cached_property
    def _size(self) -> int:
        return min(max(-(-self._all // PARTS), FEWEST), MOST)

    @property
    def recheck_every(self) -> int:
        """Every how manieth text a check asks the target about once more; 0 for none."""
        if not self.family.compared:  # each of its texts takes long
            return 0
        if self.family.replayed:
            return 1
        if self.family.exhaustive:
            return self._profile.again_exhaustive
        return self._profile.again

    @property
    def units(self) -> int:
        """Number of units, at least one."""
        return max(-(-self._all // self._size), 1)

    def texts_of_unit(self, number: int) -> Sequence[str]:
        """Texts of a unit, from 0."""
        start, end = number * self._size, (number + 1) * self._size
        enumerated = len(self._enumerated)
        part = self._enumerated[start:end]
        if end <= enumerated:
            return part
        return [*part, *self._random[max(start - enumerated, 0) : end - enumerated]]
