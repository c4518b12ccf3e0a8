"""How long a process may take on a busy machine, in processor time where that can be counted.

A load must not fail because the machine is busy, and a load that hangs must end although it uses no
processor time.
"""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOAD_LIMIT = "load limit"
"""Reason of the death of a process that has not loaded its target in time."""

WINDOW_SECONDS = 2.0
"""Length of the window, in seconds of the clock, in which a process is idle or not."""

IDLE_SHARE = 0.05
"""Share of the time in which a process uses a processor or waits for one; with less it hangs. At
least this share of the time counts."""


class LoadTime:
    """The time of a load: processor time, and clock time while the process is idle.

    ``used`` returns the processor seconds that the process and its descendants have used, and
    ``waited`` the seconds that they have waited for a processor.
    """

    def __init__(
        self, limit: float, used: Callable[[], float], waited: Callable[[], float]
    ) -> None:
        self._left, self._used, self._waited = limit, used, waited
        self._processor, self._waiting, self._passed = used(), waited(), time.monotonic()

    @property
    def left(self) -> float:
        """Seconds that the process may still use, as of the last call of :meth:`is_over`."""
        return self._left

    def is_over(self) -> bool:
        """Whether the process has used up its limit."""
        passed = time.monotonic() - self._passed
        if passed < min(WINDOW_SECONDS, self._left):
            return False
        processor, waiting = self._used(), self._waited()
        used, least = max(processor - self._processor, 0.0), passed * IDLE_SHARE
        is_idle = used + waiting - self._waiting < least
        self._left -= passed if is_idle else max(used, least)
        self._processor, self._waiting = processor, waiting
        self._passed += passed
        return self._left <= 0


def crowding(most: float | None = None) -> float:
    """Return how many times longer a call may take on this machine now, from 1 to ``most``.

    On a busy machine, a call may take longer by this factor without being a hang. It is the number
    of processes that share a processor, or what this process itself waits for a processor, which
    is far more if the others have a higher priority.
    """
    global _crowding, _crowding_until
    if (now := time.monotonic()) >= _crowding_until:
        try:
            shared = os.getloadavg()[0] / (os.cpu_count() or 1)
        except OSError:  # some containers do not show it
            shared = 1.0
        most_waiting = MOST_WAITING if _has_low_priority() else MOST_SHARING
        factors = (1.0, min(shared, MOST_SHARING), min(_waiting_factor(now), most_waiting))
        _crowding, _crowding_until = max(factors), now + CROWDING_SECONDS
    return _crowding if most is None else min(_crowding, most)


MOST_SHARING, MOST_WAITING = 4.0, 32.0
"""The largest factor for processes that share a processor, and for one of low priority."""

CROWDING_SECONDS = 2.0
"""Seconds after which the load of the machine is read again."""

LEAST_SHARE = 0.1
"""Least share of the time in which a process runs or waits, so that it is known how it waits."""

_crowding, _crowding_until = 1.0, -math.inf
_seen: tuple[float, float, float] = (-math.inf, 0.0, 0.0)


def _has_low_priority() -> bool:
    try:
        return os.getpriority(os.PRIO_PROCESS, 0) > 0
    except (AttributeError, OSError):  # Windows has none
        return False


def _waiting_factor(now: float) -> float:
    """Return how many times longer this process took since the last look than it ran (Linux)."""
    global _seen
    try:
        rows = Path("/proc/self/schedstat").read_bytes().split()
        run, waited = int(rows[0]) / 1e9, int(rows[1]) / 1e9
    except (OSError, ValueError, IndexError):  # there is no such file
        return 1.0
    before, _seen = _seen, (now, run, waited)
    passed, run, waited = now - before[0], run - before[1], waited - before[2]
    # The process has just begun, or has slept: a few short waits say nothing.
    if run <= 0 or (passed < math.inf and run + waited < passed * LEAST_SHARE):
        return 1.0
    return (run + waited) / run
