"""How the cost of a call grows when its input doubles, measured on a noisy machine.

Each size is measured several times and the minimum counts. Sizes double, from a size that takes
long enough to be measured to a size that takes long enough to show growth. The exponent is computed
from the last three doublings; each doubling must show it, and a second measurement must confirm it.
"""

from __future__ import annotations

import gc
import math
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable

SMALLEST_SIZE, LARGEST_SIZE = 64, 1 << 18
"""Repetitions of the unit in the shortest and in the longest input."""

MIN_MEASURABLE = 0.5e-3
"""Seconds of the first size that counts."""

LONG_ENOUGH = 12e-3
"""Seconds that the longest input should take, unless it would exceed ``LARGEST_SIZE``."""

FIXED = 2
"""Factor by which the first of the last doublings should take longer than the smallest size.

A request to another process takes time for a text of any length, which hides the growth.
"""

TOO_LONG = 0.12
"""Seconds of one call after which longer inputs are not measured."""

SURPRISE = 6
"""Factor to the half size from which a call is measured twice: something else may have run."""

DOUBLINGS = 3
MIN_EXPONENT = 1.3
MIN_SLOPE = 1.2
"""Minimum exponent of each of the last doublings."""

EXTRA_DOUBLINGS, REPEATS = 2, 4
MAX_REPEAT_SECONDS = 1.0

WAITS = 1 / 20
"""Share of processor time in the wall time of a call below which the call waits."""

Clock: TypeAlias = "Callable[[], float]"
"""Returns the processor seconds that all processes of a call have used so far."""

Prepare: TypeAlias = "Callable[[int, int], Callable[[], object] | None]"
"""Makes the call to measure from a size and the number of the repeat; None if there is no call."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Sizes that double, and the minimum seconds of each."""

    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def mean_exponent(self) -> float:
        """Exponent over the last doublings together; 0 if there are too few.

        A factor of log n, as sorting or merging with a heap has, is divided out.
        """
        slopes = self._last_slopes()
        return sum(slopes) / len(slopes) if slopes else 0.0

    @property
    def exponent(self) -> float:
        """Exponent over the last doublings; 0 if there are too few, or if one does not grow."""
        return self.mean_exponent if min(self._last_slopes(), default=0.0) >= MIN_SLOPE else 0.0

    def _last_slopes(self) -> list[float]:
        if len(self.seconds) <= DOUBLINGS:
            return []
        rows = zip(self.sizes, self.seconds, strict=True)
        last = [seconds / math.log2(size) for size, seconds in rows][-DOUBLINGS - 1 :]
        return [math.log2(b / a) for a, b in pairwise(last)]


def measure_growth(prepare: Prepare, clock: Clock) -> Curve | None:
    """Return the curve of a cost that grows faster than linearly, measured again; or None.

    ``prepare`` gives calls with inputs that no cache has yet. ``clock`` shows processor time, which
    other processes of the machine do not affect.
    """
    collecting = gc.isenabled()
    gc.disable()  # collections take time in proportion to all live objects
    try:
        curve = measure_curve(prepare, clock)
        # A single slow call may flatten one doubling of the first curve, so its mean decides.
        if curve is None or curve.mean_exponent < MIN_EXPONENT:
            return None
        confirmed = _remeasure(curve, prepare, clock)
        return confirmed if confirmed.exponent >= MIN_EXPONENT else None
    finally:
        if collecting:
            gc.enable()


def measure_curve(prepare: Prepare, clock: Clock) -> Curve | None:
    """Double the size until a call takes long enough; None if the target raises."""
    sizes: list[int] = []
    seconds: list[float] = []
    size = SMALLEST_SIZE
    smallest = 0.0
    while size <= LARGEST_SIZE:
        least = math.inf
        for repeat in range(2):
            elapsed = seconds_of(prepare, size, repeat, clock)
            if elapsed is None:
                return None
            least = min(least, elapsed)
            if TOO_LONG / 8 < elapsed < SURPRISE * (seconds[-1] if seconds else 0):
                break  # one measurement is enough
        if least >= MIN_MEASURABLE or sizes:
            sizes.append(size)
            seconds.append(least)
        smallest = smallest or least
        enough = least >= LONG_ENOUGH and len(sizes) > DOUBLINGS + 1
        if least > TOO_LONG or (enough and seconds[-DOUBLINGS - 1] >= FIXED * smallest):
            break
        size *= 2
    return Curve(tuple(sizes), tuple(seconds))


def _remeasure(curve: Curve, prepare: Prepare, clock: Clock) -> Curve:
    """Measure the last sizes and larger ones several times in turn; keep the minimum of each.

    Growth that is not a power, such as n log n or an overflowing cache, fades with the length.
    """
    sizes, least = list(curve.sizes[-DOUBLINGS - 1 :]), list(curve.seconds[-DOUBLINGS - 1 :])
    most = DOUBLINGS + EXTRA_DOUBLINGS
    while len(sizes) <= most and least[-1] < 3 * TOO_LONG and sizes[-1] < LARGEST_SIZE:
        elapsed = seconds_of(prepare, sizes[-1] * 2, 2, clock)
        if elapsed is None:
            break
        sizes.append(sizes[-1] * 2)
        least.append(elapsed)
    sizes, least = sizes[-DOUBLINGS - 1 :], least[-DOUBLINGS - 1 :]
    spent = 0.0
    for repeat in range(REPEATS):
        for place, size in enumerate(sizes):
            elapsed = seconds_of(prepare, size, repeat + 3, clock)
            if elapsed is not None:
                least[place] = min(least[place], elapsed)
                spent += elapsed
        if spent > MAX_REPEAT_SECONDS:
            break
    return Curve(tuple(sizes), tuple(least))


def seconds_of(prepare: Prepare, size: int, repeat: int, clock: Clock) -> float | None:
    """Seconds of one call; None if it raises, which another check reports."""
    prepared_call = prepare(size, repeat)
    if prepared_call is None:
        return None
    used_before, start = clock(), time.perf_counter()
    result = prepared_call()
    passed = time.perf_counter() - start  # without the time that the clock itself takes
    used = clock() - used_before
    if isinstance(result, Raised):
        return None
    # A call that waits uses almost no processor time, so its wall time counts.
    return max(passed if used < passed * WAITS else used, 1e-9)


MEMORY_SIZES = (2_000, 4_000, 8_000, 16_000)
MAX_BYTES = 32 << 20


def memory_exponent(prepare: Prepare) -> float:
    """Exponent of the peak memory that Python allocates; 0 if it cannot be measured."""
    import tracemalloc

    if tracemalloc.is_tracing():
        return 0.0
    peaks: list[int] = []
    tracemalloc.start()
    try:
        for size in MEMORY_SIZES:
            prepared_call = prepare(size, 0)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            if prepared_call is None or isinstance(prepared_call(), Raised):
                return 0.0
            peaks.append(max(tracemalloc.get_traced_memory()[1] - before, 1))
            if peaks[-1] > MAX_BYTES:
                break
    finally:
        tracemalloc.stop()
    slopes = [math.log2(b / a) for a, b in pairwise(peaks)]
    return sum(slopes) / len(slopes) if len(slopes) > 1 and min(slopes) >= MIN_SLOPE else 0.0
