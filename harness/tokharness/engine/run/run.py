"""Run checks on targets, as a stream of events."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.checks import crashes_or_hangs
from tokharness.config import PROFILES
from tokharness.engine.events import (
    Event,
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.requests import nothing_known
from tokharness.engine.responses import NoAnswerError, NotLoadedError
from tokharness.engine.run.diagnosis_requests import AuditPlan, SnapshotPlan
from tokharness.engine.run.finalize import finalize, finalize_unanswered, not_answered, not_loaded
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.nothing_checked import Coverage, WatchedEvents
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.processor_time import processor_time
from tokharness.engine.run.report_requests import VOCABULARY, request_tokens
from tokharness.engine.run.scheduler import Scheduler
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.engine.run.stops import (
    STOPS,
    StopError,
    limit_rest,
    raise_stop,
    yield_all,
)
from tokharness.engine.run.unit_results import Progress
from tokharness.model import Skip
from tokharness.plugins.spec_paths import changed_path, identities_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from tokharness.config import Options
    from tokharness.engine.requests import Known
    from tokharness.engine.run.scheduler import Elsewhere
    from tokharness.errors import NothingCheckedError
    from tokharness.parallel.model import ParallelText
    from tokharness.targets.snapshot import EarlierState, Golden

CHANGED = "the file changed while the run used it, so its findings are of both"


def run(
    specs: Sequence[str],
    options: Options,
    *,
    jobs: int = 1,
    earlier: Iterable[Event] = (),
    golden: Sequence[Golden] | None = None,
    compare_with: EarlierState | None = None,
    measures: bool | ParallelText = False,
    tokens: bool = False,
    known: Known = nothing_known,
    elsewhere: Callable[[str], Elsewhere] | None = None,
) -> Generator[Event]:
    """Run the checks on each target, and yield the events.

    Args:
        specs: The targets, which run one after another.
        options: What to run, and how thoroughly.
        jobs: Number of worker processes; with 0 everything runs within this process, where a crash
            of the target ends the command.
        earlier: Events of an interrupted run, whose results are used again.
        golden: Texts for a snapshot of each target; () for new texts, None for no snapshot.
        compare_with: Further data of an earlier snapshot to compare with.
        measures: Whether to take the measures of ``tokharness.engine.measures`` too; a parallel
            text is measured with them. A run that only checks the vocabulary measures it anyway.
        tokens: Whether to list all tokens of each target, with the checks' results on each token.
        known: Returns the results of earlier runs, for the digest of the reference.
        elsewhere: Returns what runs the units of a target in place of the workers, such as
            :class:`~tokharness.engine.run.on_ray.RayUnits`.

    Raises:
        TokharnessError: the options are wrong, or a target cannot be loaded. A failure to load is
            a finding if the target exists and its reference loads, or if it is compared with
            golden texts.
        InternalError: a worker failed.
        NothingCheckedError: no selected check can run on a target, the target encoded no text, or
            a check that is selected by name saw no text.
        PluginError: a plugin failed.
        KeyboardInterrupt: the run was interrupted.

    The findings so far are yielded before an exception.

    """
    select_checks(options), select_families(options)  # raise before anything is loaded
    earlier = list(earlier)
    nothing_checked: NothingCheckedError | None = None
    for spec in dict.fromkeys(specs):
        events = [event for event in earlier if _spec(event) == spec]
        coverage = Coverage(spec, options, events)
        if any(isinstance(event, TargetFinished) for event in events):
            for event in _since_last_start(events):
                coverage.add(event)
                yield event
        else:
            with Pool(spec, options, jobs) as pool:
                snapshot = SnapshotPlan(golden, compare_with)
                units = None if elsewhere is None else elsewhere(spec)
                new = _run_target(
                    pool, options, events, snapshot, known, units, measures=measures, tokens=tokens
                )
                yield from WatchedEvents(new, coverage)
        nothing_checked = nothing_checked or coverage.error()
    if nothing_checked is not None:
        raise nothing_checked


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
    snapshot: SnapshotPlan,
    known: Known,
    elsewhere: Elsewhere | None,
    *,
    measures: bool | ParallelText,
    tokens: bool,
) -> Generator[Event]:
    begin = time.perf_counter()
    files = identities_of([pool.spec, options.against or ""])
    pool.time = processor_time(options.run_seconds, pool.jobs)
    try:
        workers, start, first_events = start_workers(pool)
    except NoAnswerError as error:
        yield from not_answered(error, options)
        yield TargetFinished(pool.spec, 0, time.perf_counter() - begin, 0.0)
        return
    except NotLoadedError as error:
        if not error.other and not snapshot.golden:
            raise
        yield from not_loaded(error, options)
        yield TargetFinished(pool.spec, 0, time.perf_counter() - begin, 0.0)
        return
    files = identities_of([start.against or ""]) | files
    progress = Progress(start, earlier, PROFILES[options.profile].max_diagnosed)
    results = known(start.comparison)
    scheduler = Scheduler(progress, workers, results, elsewhere)
    stopped: StopError | None = None
    try:
        yield start
        yield from first_events
        yield from scheduler.events()
    except STOPS as error:  # the findings so far are reported
        stopped = error
        scheduler.interrupt()
        progress.stop(error)
    stopped = (yield from yield_all(progress.summary())) or stopped
    if snapshot.golden is not None:
        taken = progress.digests()
        yield taken
        snapshot = replace(snapshot, changed=taken.changed)
    limit_rest(pool, stopped)
    if isinstance(stopped, NoAnswerError):
        yield from finalize_unanswered(workers, progress, start.checks, stopped)
    else:
        of_vocabulary = () if start.families else (VOCABULARY,)
        measured = False if stopped else measures or of_vocabulary
        # In such a run, only an audit can show that the target ends its process.
        codes = start.checks if start.families else (*start.checks, crashes_or_hangs.CODE)
        audits = AuditPlan(answers=results.answers)
        yield from finalize(workers, progress, codes, snapshot, audits, measures=measured)
        raise_stop(stopped)
        if tokens:
            yield from request_tokens(workers, audited=True)
    if (changed := changed_path(files)) is not None:
        yield SkipRecorded(Skip(pool.spec, str(changed), CHANGED, unfinished=True))
    yield TargetFinished(pool.spec, progress.cases, time.perf_counter() - begin, progress.seconds)
