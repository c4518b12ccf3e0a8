"""Measure targets for a comparison, without running checks on them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokharness.config import Options
from tokharness.engine.events import Event, TargetFinished
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.report_requests import request_measures
from tokharness.engine.run.startup import start_workers

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Sequence

    from tokharness.parallel.model import ParallelText

__all__ = ["compare", "comparison_options"]

MEMORY = 1 << 30
"""Bytes that a target may allocate beyond what it takes when it is loaded, and for that."""


def comparison_options(time_limit: float, load_limit: float) -> Options:
    """Return the options of a comparison, which needs no reference and fails on no finding."""
    return Options(
        against="none",
        fail_on="never",
        time_limit=time_limit,
        load_limit=load_limit,
        memory_limit=MEMORY,
    )


def compare(
    specs: Sequence[str],
    options: Options,
    names: Collection[str],
    *,
    jobs: int = 1,
    parallel: ParallelText | None = None,
) -> Generator[Event]:
    """Load each target, and yield its measures of these names, and that of a parallel text.

    No target needs a reference.
    """
    for spec in dict.fromkeys(specs):
        with Pool(spec, options, jobs) as pool:
            begin = time.perf_counter()
            workers, start, _ = start_workers(pool)
            yield start
            yield from request_measures(workers, names, parallel=parallel)
            yield TargetFinished(spec, 0, time.perf_counter() - begin, 0.0)
