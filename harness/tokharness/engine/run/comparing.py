"""Measure targets for a comparison, without trying any case."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokharness.engine.events import Event, TargetFinished
from tokharness.engine.run.measure_requests import measures_of
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.startup import start_workers
from tokharness.engine.run.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Sequence

    from tokharness.config import Options

__all__ = ["compare"]


def compare(
    targets: Sequence[str], options: Options, names: Collection[str], *, jobs: int = 1
) -> Generator[Event]:
    """Load each target, and measure what has one of these names; no reference is needed."""
    for spec in dict.fromkeys(targets):
        with Pool(spec, options, jobs) as pool:
            begin = time.perf_counter()
            workers, start, _ = start_workers(pool)
            yield start
            yield from measures_of(Workers(pool, workers), names)
            yield TargetFinished(spec, 0, time.perf_counter() - begin, 0.0)
