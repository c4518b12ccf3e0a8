"""How much processor time the texts of a run have used, and whether there is some left.

The limit of a profile is for a usual machine; a fixed piece of work shows how fast this one is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

__all__ = ["ProcessorTime", "slowness"]

USUAL_SECONDS = 0.00021
"""Processor seconds of the fixed piece of work on a usual machine."""

ROUNDS, ITEMS = 200, 2000

FULL_SHARE = 0.5
"""Share of the limit after which each family gets a part before another one gets its second."""

UNIT_SHARE = 0.25
"""Share of the time left that one part of a family may use."""


def slowness() -> float:
    """Return how many times longer this machine takes than a usual one, at least 1.

    The shortest of several rounds counts.
    """
    return max(min(_round() for _ in range(ROUNDS)) / USUAL_SECONDS, 1.0)


def _round() -> float:
    begin = time.process_time()
    counts: dict[str, int] = {}
    for number in range(ITEMS):
        word = str(number)[-3:]
        counts[word] = counts.get(word, 0) + 1
    return time.process_time() - begin


@dataclass
class ProcessorTime:
    """Processor seconds that texts may use, None for any number, and that they have ``used``."""

    limit: float | None = None
    used: float = 0.0

    def is_spent(self) -> bool:
        """Whether no further part of a family is run."""
        return self.limit is not None and self.used >= self.limit

    def is_short(self) -> bool:
        """Whether so much is used that other families may get nothing."""
        return self.limit is not None and self.used >= self.limit * FULL_SHARE

    def of_unit(self) -> float | None:
        """Return the limit of the next part of a family."""
        return None if self.limit is None else max(self.limit - self.used, 0.0) * UNIT_SHARE
