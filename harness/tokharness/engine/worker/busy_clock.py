"""A clock that counts processor time, and some of the time in which a target sleeps.

The processor time is that of this process and of its ended children. On a busy machine a worker
waits for the processor, which must not use up its time. A target that asks a server for each text
uses no processor time, and its diagnosis has to end all the same.
"""

from __future__ import annotations

import os
import time

__all__ = ["BusyClock", "busy_seconds"]

IDLE_SHARE = 0.25
"""Share of the time that passes which counts, if the process used less than that."""


class BusyClock:
    """Returns seconds that only their differences give a meaning."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._processor, self._passed = _processor_seconds(), time.monotonic()

    def __call__(self) -> float:
        """Return the seconds until now."""
        processor, passed = _processor_seconds(), time.monotonic()
        idle = (passed - self._passed) * IDLE_SHARE
        self._seconds += max(processor - self._processor, idle)
        self._processor, self._passed = processor, passed
        return self._seconds


def _processor_seconds() -> float:
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system


busy_seconds = BusyClock()
"""The clock of this process."""
