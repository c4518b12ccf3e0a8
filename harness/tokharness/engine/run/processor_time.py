"""How much processor time the run of a target has used, and what its parts may use of the rest.

The limit of a profile is for a usual machine; a fixed piece of work shows how fast this one is.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness.targets.processes.limits import processor_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

USUAL_SECONDS = 0.00021
"""Processor seconds of the fixed piece of work on a usual machine."""

ROUNDS, ITEMS = 200, 2000

LOOK_SECONDS = 0.2
"""Seconds after which all processes are looked at again, which takes a millisecond."""

TEXTS_SHARE = 0.65
"""Share of what loading leaves that the texts of families may use; the rest is for diagnoses and
audits, and what diagnoses leave for audits alone."""

FULL_SHARE = 0.5
"""Share of the time of texts after which each family gets a part before another gets its second."""

UNIT_SHARE = 0.25
"""Share of the time left that one part of a family may use."""

DIAGNOSIS_SHARE = 0.5
"""Share of what texts leave that the diagnoses of all checks may use."""

LEAST_SECONDS = 1.0
"""Seconds of the diagnosis of a check in any case: enough for its shortest texts, mostly."""


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


class UsedTime:
    """The processor seconds that this process and its descendants have used since now.

    What a killed process used that nothing has waited for stays counted if it was seen before.
    """

    def __init__(self) -> None:
        self._last, self._seen_at = processor_seconds(os.getpid()), time.monotonic()
        self._used = 0.0

    def __call__(self) -> float:
        """Return the seconds, as they were at most ``LOOK_SECONDS`` ago."""
        if time.monotonic() - self._seen_at >= LOOK_SECONDS:
            self.look()
        return self._used

    def look(self) -> None:
        """Look at all processes now."""
        now, self._seen_at = processor_seconds(os.getpid()), time.monotonic()
        self._used += max(now - self._last, 0.0)
        self._last = now


@dataclass
class ProcessorTime:
    """The processor seconds that a run may use, None for any number, and how they are shared.

    ``seen`` returns how many the system has seen, and ``reported`` are those of texts that workers
    report, which count where the system has no such data. ``workers`` may use them at once.
    ``loading`` are those before the first text.
    """

    limit: float | None = None
    seen: Callable[[], float] = field(default_factory=UsedTime)
    workers: int = 1
    reported: float = 0.0
    loading: float = 0.0
    _end_of_texts: float = 0.0
    _texts: float = 0.0

    @property
    def used(self) -> float:
        """Seconds that the run has used."""
        return max(self.seen(), self.reported)

    def left(self) -> float:
        """Return the seconds that are left; infinity without a limit."""
        return math.inf if self.limit is None else max(self.limit - self.used, 0.0)

    def begin_texts(self) -> None:
        """Give the texts of families their share of what is left."""
        if self.limit is not None:
            self.loading = used = self.used
            self._texts = max(self.limit - used, 0.0) * TEXTS_SHARE
            self._end_of_texts = used + self._texts

    def texts_left(self) -> float:
        """Return the seconds that are left for the texts of families; infinity without a limit."""
        return math.inf if self.limit is None else max(self._end_of_texts - self.used, 0.0)

    def is_short(self) -> bool:
        """Whether so much of the time of texts is used that other families may get nothing."""
        return self.limit is not None and self.texts_left() <= self._texts * (1 - FULL_SHARE)

    def of_unit(self) -> float | None:
        """Return the limit of the next part of a family."""
        return None if self.limit is None else self.texts_left() * UNIT_SHARE

    def of_diagnoses(self) -> float:
        """Return the limit of the diagnoses of all checks; infinity without one."""
        return self.left() * DIAGNOSIS_SHARE

    def of_request(self) -> float | None:
        """Return the limit of the next diagnosis or audit, of which each worker may have one."""
        return None if self.limit is None else self.left() / (self.workers + 1)


def processor_time(limit: float | None, workers: int) -> ProcessorTime:
    """Return the time of a run that begins now; the limit in seconds is for a usual machine."""
    return ProcessorTime(None if limit is None else limit * slowness(), workers=max(workers, 1))
