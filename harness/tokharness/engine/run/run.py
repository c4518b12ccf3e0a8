"""The whole line: targets, families, checks, causes, smallest texts, as a stream of events."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokharness.config import PROFILES
from tokharness.engine.events import (
    Event,
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.run.finalize import finalize
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.progress import Progress
from tokharness.engine.run.scheduler import Scheduler
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.engine.run.startup import start_workers
from tokharness.engine.run.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from tokharness.config import Options
    from tokharness.targets.snapshot import Golden

__all__ = ["run"]


def run(
    targets: Sequence[str],
    options: Options,
    *,
    jobs: int = 1,
    before: Iterable[Event] = (),
    golden: Sequence[Golden] | None = None,
    measures: bool = False,
) -> Generator[Event]:
    """Check every target, one after another; raises what ends a run before it can answer.

    ``jobs`` worker processes try the cases of a target; with 0 everything happens in this
    process, without protection. ``before`` are the events of a run that was cut off: what they
    tell is told again, and not done again. With ``golden`` a snapshot of each target is taken on
    these texts, or on a new set of them if there are none. With ``measures`` each is also
    measured for a reader, as ``tokharness.engine.measures`` says.
    """
    select_checks(options), select_families(options)  # a mistake is told before anything is loaded
    earlier = list(before)
    for spec in dict.fromkeys(targets):
        mine = [event for event in earlier if _target(event) == spec]
        if any(isinstance(event, TargetFinished) for event in mine):
            yield from _of_last_start(mine)
        else:
            with Pool(spec, options, jobs) as pool:
                yield from _run_target(pool, options, mine, golden, measures=measures)


def _target(event: Event) -> str:
    if isinstance(event, FindingReported):
        return event.finding.spec
    return event.skip.spec if isinstance(event, SkipRecorded) else event.spec


def _of_last_start(events: list[Event]) -> list[Event]:
    """What was told of a target since it was started for the last time, but for its units."""
    start = max(i for i, event in enumerate(events) if isinstance(event, TargetStarted))
    return [event for event in events[start:] if not isinstance(event, UnitFinished)]


def _run_target(
    pool: Pool,
    options: Options,
    before: Sequence[Event],
    golden: Sequence[Golden] | None,
    *,
    measures: bool,
) -> Iterator[Event]:
    begin = time.perf_counter()
    workers, start, skips = start_workers(pool)
    yield start
    for skip in skips:
        yield SkipRecorded(skip)
    progress = Progress(start, before, PROFILES[options.profile].max_diagnosed)
    crew = Workers(pool, workers)
    trial = Scheduler(progress, crew)
    interrupted = False
    try:
        yield from trial.events()
    except KeyboardInterrupt:  # what was found until now is told before the run ends
        interrupted = True
        trial.interrupted()
        yield from progress.unfinished()
    yield from progress.summary()
    measures = measures and not interrupted
    yield from finalize(crew, progress, start.checks, golden, measures=measures)
    if interrupted:
        raise KeyboardInterrupt
    yield TargetFinished(pool.spec, progress.cases, time.perf_counter() - begin, progress.seconds)
