"""Run checks on targets, as a stream of events."""

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
from tokharness.engine.run.finalize import finalize, reason_to_stop
from tokharness.engine.run.loaded_workers import Workers
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.scheduler import Scheduler
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.engine.run.startup import start_workers
from tokharness.engine.run.unit_results import Progress
from tokharness.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from tokharness.config import Options
    from tokharness.targets.snapshot import Golden

__all__ = ["run"]


def run(
    specs: Sequence[str],
    options: Options,
    *,
    jobs: int = 1,
    earlier: Iterable[Event] = (),
    golden: Sequence[Golden] | None = None,
    measures: bool = False,
) -> Generator[Event]:
    """Run the checks on each target, and yield the events.

    Args:
        specs: The targets, which run one after another.
        options: What to run, and how thoroughly.
        jobs: Number of worker processes; with 0 everything runs within this process, where a crash
            of the target ends the command.
        earlier: Events of an interrupted run, whose results are used again.
        golden: Texts for a snapshot of each target; () for new ones, None for no snapshot.
        measures: Whether to take the measures of ``tokharness.engine.measures`` too.

    Raises:
        TokharnessError: the options are wrong, or a target cannot be loaded.
        InternalError: a worker failed.
        PluginError: a plugin failed; the findings so far were yielded before.
        KeyboardInterrupt: the run was interrupted; the findings so far were yielded before.

    """
    select_checks(options), select_families(options)  # raise before anything is loaded
    earlier = list(earlier)
    for spec in dict.fromkeys(specs):
        events = [event for event in earlier if _spec(event) == spec]
        if any(isinstance(event, TargetFinished) for event in events):
            yield from _since_last_start(events)
        else:
            with Pool(spec, options, jobs) as pool:
                yield from _run_target(pool, options, events, golden, measures=measures)


def _spec(event: Event) -> str:
    if isinstance(event, FindingReported):
        return event.finding.spec
    return event.skip.spec if isinstance(event, SkipRecorded) else event.spec


def _since_last_start(events: list[Event]) -> list[Event]:
    """Return the events since the last start of a target, except those of units."""
    start = max(i for i, event in enumerate(events) if isinstance(event, TargetStarted))
    return [event for event in events[start:] if not isinstance(event, UnitFinished)]


def _run_target(
    pool: Pool,
    options: Options,
    earlier: Sequence[Event],
    golden: Sequence[Golden] | None,
    *,
    measures: bool,
) -> Iterator[Event]:
    begin = time.perf_counter()
    loaded, start, skips = start_workers(pool)
    yield start
    yield from map(SkipRecorded, skips)
    progress = Progress(start, earlier, PROFILES[options.profile].max_diagnosed)
    workers = Workers(pool, loaded)
    scheduler = Scheduler(progress, workers)
    stopped: KeyboardInterrupt | PluginError | None = None
    try:
        yield from scheduler.events()
    except (KeyboardInterrupt, PluginError) as error:  # the findings so far are reported
        stopped = error
        scheduler.interrupt()
        yield from progress.unfinished_families(reason_to_stop(error))
    yield from progress.summary()
    measures = measures and not stopped
    yield from finalize(workers, progress, start.checks, golden, measures=measures)
    if stopped is not None:
        raise stopped
    yield TargetFinished(pool.spec, progress.cases, time.perf_counter() - begin, progress.seconds)
