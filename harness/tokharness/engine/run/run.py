"""Run checks on targets, or only measure them for a comparison, as a stream of events."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.config import PROFILES, Options
from tokharness.engine.events import (
    Event,
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
    TokensListed,
    TokensSplit,
    UnitFinished,
)
from tokharness.engine.requests import EncodeRequest, nothing_known
from tokharness.engine.responses import NoAnswerError
from tokharness.engine.run.death_findings import lost_response
from tokharness.engine.run.diagnosis_requests import AuditPlan, SnapshotPlan
from tokharness.engine.run.finalize import (
    Coverage,
    WatchedEvents,
    end_of_target,
    finalize,
    finalize_unanswered,
    start_or_report,
)
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.processor_time import processor_time
from tokharness.engine.run.report_requests import VOCABULARY, request_measures, request_tokens
from tokharness.engine.run.scheduler import Scheduler
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.engine.run.stops import STOPS, StopError, limit_rest, raise_stop, yield_all
from tokharness.engine.run.unit_results import Progress
from tokharness.engine.vocabulary_differences import texts_to_split
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Generator,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from tokharness.engine.requests import Known
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.scheduler import Elsewhere
    from tokharness.errors import NothingCheckedError
    from tokharness.model import TokenRow
    from tokharness.parallel.model import ParallelText
    from tokharness.targets.snapshot import EarlierState, Golden


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
    """Return the events since the last start of a target, except events of units."""
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
    pool.time = processor_time(options.run_seconds, pool.jobs)
    started = yield from start_or_report(pool, begin, has_golden=bool(snapshot.golden))
    if started is None:
        return
    workers, start, first_events = started
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
    yield from end_of_target(pool, begin, progress.cases, progress.seconds)


# List the tokens of two targets, and encode with the second the tokens that only the first has.

TEXTS_PER_REQUEST = 2_000


def compare_vocabularies(
    specs: tuple[str, str], options: Options, *, jobs: int = 1
) -> Generator[Event]:
    """Load two targets, and yield their tokens, and how the second splits the first's tokens."""
    listed: list[Sequence[TokenRow]] = []
    for spec in specs:
        with Pool(spec, options, jobs) as pool:
            begin = time.perf_counter()
            workers, start, _ = start_workers(pool)
            yield start
            for event in request_tokens(workers, audited=False):
                if isinstance(event, TokensListed):
                    listed.append(event.tokens)
                yield event
            if len(listed) == len(specs):
                yield from _request_splits(workers, texts_to_split(*listed))
            yield from end_of_target(pool, begin)


def _request_splits(workers: Workers, texts: Mapping[int, str]) -> Iterator[Event]:
    """Yield the ids of each text, after a skip for each part of the texts without ids."""
    spec, numbers = workers.pool.spec, list(texts)
    starts = range(0, len(numbers), TEXTS_PER_REQUEST)
    parts = {
        f"part {at // TEXTS_PER_REQUEST + 1} of the tokens to split": numbers[
            at : at + TEXTS_PER_REQUEST
        ]
        for at in starts
    }
    requests = {
        what: EncodeRequest([texts[number] for number in part], ()) for what, part in parts.items()
    }
    responses: dict[str, dict[str, Any]] = {}
    workers.call_unguarded(requests, responses)
    splits: dict[int, list[int]] = {}
    for what, request in requests.items():
        try:
            response = responses[what] if what in responses else workers.call_guarded(request)
        except TargetDeath as death:
            yield SkipRecorded(lost_response(spec, what, death))
            continue
        for number, record in zip(parts[what], response["encodings"], strict=False):
            if isinstance(ids := record.get("ids"), list):
                splits[number] = [one for one in ids if isinstance(one, int)]
    yield TokensSplit(spec, splits)


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
    """Load each target, and yield its measures of these names, and the costs of a parallel text.

    No target needs a reference.
    """
    for spec in dict.fromkeys(specs):
        with Pool(spec, options, jobs) as pool:
            begin = time.perf_counter()
            workers, start, _ = start_workers(pool)
            yield start
            yield from request_measures(workers, names, parallel=parallel)
            yield from end_of_target(pool, begin)
