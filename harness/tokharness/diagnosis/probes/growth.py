"""How a cost grows when its input doubles, measured on a noisy machine.

Each size is measured several times and the least counts. The sizes double from one that takes long
enough to be measured to one that takes long enough to show what grows; the exponent is that of the
last three doublings, each of which has to show it, and is confirmed by measuring again.
"""

from __future__ import annotations

import gc
import math
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Curve", "Prepare", "measure_curve", "measure_growth", "memory_exponent"]

FIRST, LARGEST = 64, 1 << 18
"""Units of the shortest and of the longest input."""

MEASURABLE = 0.5e-3
ENOUGH = 12e-3
"""Seconds that the longest input takes at least, where it is no longer than ``LARGEST``."""

TOO_LONG = 0.12
"""Seconds of one call after which no longer input is tried."""

DOUBLINGS = 3
SUSPECT = 1.3
EACH = 1.2
"""Least exponent of each of the last doublings."""

LONGER, AGAIN = 2, 4
MOST_SECONDS_AGAIN = 1.0

Prepare: TypeAlias = "Callable[[int, int], Callable[[], object] | None]"
"""Makes the call to measure, of a size and for the so manieth time; None where there is none."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Sizes that double, and the least seconds of each."""

    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """Exponent over the last doublings; 0 if there are too few, or if one does not show it.

        A factor of log n, which sorting or merging with a heap has, is not counted.
        """
        if len(self.seconds) <= DOUBLINGS:
            return 0.0
        rows = zip(self.sizes, self.seconds, strict=True)
        last = [seconds / math.log2(size) for size, seconds in rows][-DOUBLINGS - 1 :]
        slopes = [math.log2(b / a) for a, b in pairwise(last)]
        return sum(slopes) / DOUBLINGS if min(slopes) >= EACH else 0.0


def measure_growth(prepare: Prepare, *, wall: bool) -> Curve | None:
    """Curve of a cost that grows faster than in proportion, measured twice; None if none does.

    Each time ``prepare`` gives a call with an input that no cache has yet. ``wall`` counts the time
    that passes, for what another process does; else it is the time of this process, which another's
    work does not add to.
    """
    collecting = gc.isenabled()
    gc.disable()  # collections grow with what is alive, which is not the target's doing
    try:
        curve = measure_curve(prepare, wall=wall)
        if curve is None or curve.exponent < SUSPECT:
            return None
        again = _again(curve, prepare, wall)
        return again if again.exponent >= SUSPECT else None
    finally:
        if collecting:
            gc.enable()


def measure_curve(prepare: Prepare, *, wall: bool) -> Curve | None:
    """Double the size until it takes long enough; None where the target raises."""
    sizes: list[int] = []
    seconds: list[float] = []
    size = FIRST
    while size <= LARGEST:
        least = math.inf
        for repeat in range(2):
            one = _seconds(prepare, size, repeat, wall)
            if one is None:
                return None
            least = min(least, one)
            if one > TOO_LONG / 8:  # long enough to be measured once
                break
        if least >= MEASURABLE or sizes:
            sizes.append(size)
            seconds.append(least)
        if least > TOO_LONG or (least >= ENOUGH and len(sizes) > DOUBLINGS + 1):
            break
        size *= 2
    return Curve(tuple(sizes), tuple(seconds))


def _again(curve: Curve, prepare: Prepare, wall: bool) -> Curve:
    """Measure the last sizes and longer ones several times in turn, and keep the least of each.

    What is no power, as n log n or a cache that overflows once, fades out with the length.
    """
    sizes, least = list(curve.sizes[-DOUBLINGS - 1 :]), list(curve.seconds[-DOUBLINGS - 1 :])
    while len(sizes) <= DOUBLINGS + LONGER and least[-1] < 3 * TOO_LONG and sizes[-1] < LARGEST:
        one = _seconds(prepare, sizes[-1] * 2, 2, wall)
        if one is None:
            break
        sizes.append(sizes[-1] * 2)
        least.append(one)
    sizes, least = sizes[-DOUBLINGS - 1 :], least[-DOUBLINGS - 1 :]
    spent = 0.0
    for repeat in range(AGAIN):
        for place, size in enumerate(sizes):
            one = _seconds(prepare, size, repeat + 3, wall)
            if one is not None:
                least[place] = min(least[place], one)
                spent += one
        if spent > MOST_SECONDS_AGAIN:
            break
    return Curve(tuple(sizes), tuple(least))


def _seconds(prepare: Prepare, size: int, repeat: int, wall: bool) -> float | None:
    """Seconds of one call; None if it raises, which is another check's to tell."""
    call = prepare(size, repeat)
    if call is None:
        return None
    start, start_of_process = time.perf_counter(), time.process_time()
    result = called(call)
    used = time.process_time() - start_of_process
    passed = time.perf_counter() - start
    if isinstance(result, Raised):
        return None
    # What waits, and does not work, uses next to nothing of what passes.
    return max(passed if wall or used < passed / 20 else used, 1e-9)


MEMORY_SIZES = (2_000, 4_000, 8_000, 16_000)
MOST_BYTES = 32 << 20


def memory_exponent(prepare: Prepare) -> float:
    """Exponent of the peak of the memory that Python allocates; 0 where it cannot be told."""
    import tracemalloc

    if tracemalloc.is_tracing():
        return 0.0
    peaks: list[int] = []
    tracemalloc.start()
    try:
        for size in MEMORY_SIZES:
            call = prepare(size, 0)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            if call is None or isinstance(called(call), Raised):
                return 0.0
            peaks.append(max(tracemalloc.get_traced_memory()[1] - before, 1))
            if peaks[-1] > MOST_BYTES:
                break
    finally:
        tracemalloc.stop()
    slopes = [math.log2(b / a) for a, b in pairwise(peaks)]
    return sum(slopes) / len(slopes) if len(slopes) > 1 and min(slopes) >= EACH else 0.0
