"""Targets that are so slow that a run takes more than ten times its usual time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokharness.engine.responses import FIRST_TEXTS

if TYPE_CHECKING:
    from tokharness.engine.events import SlowTarget
    from tokharness.targets.subject import Subject

USUAL_SECONDS = 60e-6
"""Seconds that a worker needs to encode, decode and check a text with a target of usual speed."""

SLOW_FACTOR = 10
SLOW_SECONDS = SLOW_FACTOR * USUAL_SECONDS
"""Seconds from which on the encoding and decoding of one text are slow."""

LEAST_SECONDS = 30.0
"""Seconds of the shortest run that is reported as slow."""


def seconds_per_text(subject: Subject) -> float:
    """Return how long the target takes to encode and decode a short text.

    The shortest of several calls counts, since the first call may be slow.
    """
    shortest = float("inf")
    for text in FIRST_TEXTS:
        begin = time.perf_counter()
        subject.target.round_trip(text)
        shortest = min(shortest, time.perf_counter() - begin)
        if shortest < SLOW_SECONDS:
            break
    return shortest


def slow_target(spec: str, texts: int, text_seconds: float, jobs: int) -> SlowTarget | None:
    """Return the event for so many texts and ``jobs`` workers; None if the target is not slow."""
    usual_seconds = texts * USUAL_SECONDS / jobs
    seconds = texts * text_seconds / jobs
    if seconds < max(LEAST_SECONDS, SLOW_FACTOR * usual_seconds):
        return None
    from tokharness.engine.events import SlowTarget  # no worker needs the events

    return SlowTarget(spec, texts, seconds, usual_seconds)
