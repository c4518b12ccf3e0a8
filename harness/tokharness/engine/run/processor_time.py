"""How much processor time the run of a target has used, and what its parts may use of the rest.

The limit of a profile is for a usual machine; a fixed piece of work measures this machine.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness.targets.processes.load_time import processor_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

USUAL_SECONDS = 0.00021
"""Processor seconds of the fixed piece of work on a usual machine."""

ROUNDS, ITEMS = 200, 2000

LOOK_SECONDS = 0.2
"""Seconds between two looks at all processes; a look takes a millisecond."""

TEXTS_SHARE = 0.65
"""Share of the time after loading for the texts of families; diagnoses and audits get the rest, and
audits get the time that diagnoses leave."""

FULL_SHARE = 0.5
"""Share of the time of texts after which every family gets a part before any gets a second."""

UNIT_SHARE = 0.25
"""Share of the remaining time that one part of a family may use."""

DIAGNOSIS_SHARE = 0.5
"""Share of the time after the texts that the diagnoses of all checks may use."""

LEAST_SECONDS = 1.0
"""Least seconds for the diagnosis of a check: usually enough for its shortest texts."""


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

    If a process is killed and not waited for, the time that was seen before still counts.
    """

    def __init__(self) -> None:
        self._last, self._seen_at = processor_seconds(os.getpid()), time.monotonic()
        self._used = 0.0

    def __call__(self) -> float:
        """Return the seconds used, at most ``LOOK_SECONDS`` out of date."""
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

    ``seen`` returns the seconds that the system has measured. ``reported`` has the seconds of texts
    that workers report, which count if the system measures none. ``workers`` is the number of
    workers that run at once, and ``loading`` the seconds before the first text.
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
        """Give the texts of families their share of the remaining time."""
        if self.limit is not None:
            self.loading = used = self.used
            self._texts = max(self.limit - used, 0.0) * TEXTS_SHARE
            self._end_of_texts = used + self._texts

    def texts_left(self) -> float:
        """Return the remaining seconds for the texts of families; infinity without a limit."""
        return math.inf if self.limit is None else max(self._end_of_texts - self.used, 0.0)

    def is_short(self) -> bool:
        """Whether the time of texts is used so far that some families might get nothing."""
        return self.limit is not None and self.texts_left() <= self._texts * (1 - FULL_SHARE)

    def of_unit(self) -> float | None:
        """Return the limit of the next part of a family."""
        return None if self.limit is None else self.texts_left() * UNIT_SHARE

    def of_diagnoses(self) -> float:
        """Return the limit of the diagnoses of all checks; infinity without one."""
        return self.left() * DIAGNOSIS_SHARE

    def of_request(self) -> float | None:
        """Return the limit of the next diagnosis or audit; all workers may run one at once."""
        return None if self.limit is None else self.left() / (self.workers + 1)


def processor_time(limit: float | None, workers: int) -> ProcessorTime:
    """Return the time of a run that begins now; ``limit`` is in seconds of a usual machine."""
    return ProcessorTime(None if limit is None else limit * slowness(), workers=max(workers, 1))
