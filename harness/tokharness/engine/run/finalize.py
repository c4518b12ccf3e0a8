"""End the run of a target: diagnose, audit, take the snapshot and metrics, and emit the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.events import (
    AnswersGiven,
    Event,
    FindingReported,
    SkipRecorded,
    SnapshotTaken,
    TargetStarted,
)
from tokharness.engine.run.death_findings import no_answer_findings, not_loaded_finding
from tokharness.engine.run.diagnosis_requests import request_diagnosis, without_diagnosis
from tokharness.engine.run.report_requests import request_all_measures
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.engine.run.stops import STOPS, raise_stop, reason_to_stop, yield_all
from tokharness.engine.worker.grouping import merge_findings
from tokharness.model import Skip
from tokharness.parallel.model import ParallelText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.config import Options
    from tokharness.engine.responses import NoAnswerError, NotLoadedError
    from tokharness.engine.run.diagnosis_requests import (
        AuditPlan,
        DiagnosisResult,
        Results,
        SnapshotPlan,
    )
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.model import Finding

# The report of a target that cannot be run: it does not load, or answers no first text.


def not_answered(error: NoAnswerError, options: Options) -> Iterator[Event]:
    """Yield the start of the target, its findings, and a skip for each check and family."""
    yield from _not_run(error.spec, options, no_answer_findings(error), reason_to_stop(error))


def not_loaded(error: NotLoadedError, options: Options) -> Iterator[Event]:
    """Yield the start of the target, its one finding, and a skip for each check and family."""
    findings = [not_loaded_finding(error, options)]
    yield from _not_run(error.spec, options, findings, "the target does not load")


def _not_run(
    spec: str, options: Options, findings: Iterable[Finding], reason: str
) -> Iterator[Event]:
    families = tuple(family.name for family in select_families(options))
    codes = tuple(check.code for check in select_checks(options))
    yield TargetStarted(spec, None, (), None, None, families, codes)
    yield from map(FindingReported, findings)
    for what in (*(f"family {name}" for name in families), "the audit"):
        yield SkipRecorded(Skip(spec, what, reason))


MAX_OUTPUT = 10 << 20
"""Bytes that a target may print in all its processes before a skip reports it."""


def finalize(
    workers: Workers,
    results: Results,
    checks: Sequence[str],
    snapshot: SnapshotPlan | None,
    audits: AuditPlan,
    *,
    measures: bool | ParallelText | tuple[str, ...] = False,
) -> Iterator[Event]:
    """Yield findings, skips, the snapshot if one is wanted, and ``measures`` if wanted.

    ``measures`` may be a selection of names. ``audits`` has results that audits need not repeat.

    Raises:
        KeyboardInterrupt: the run was interrupted; skips for the rest were yielded before.
        TokharnessError, InternalError, OSError: something failed; the same was yielded before.

    """
    result = request_diagnosis(workers, results, checks, snapshot, audits)
    findings = merge_findings(checks, *result.findings)
    stopped = (yield from yield_all(_events(workers, findings, result))) or result.error
    if measures and stopped is None:
        parallel = measures if isinstance(measures, ParallelText) else None
        names = measures if isinstance(measures, tuple) else None
        try:
            yield from request_all_measures(workers, results, findings, parallel, names=names)
        except STOPS as error:
            stopped = error
    yield from map(FindingReported, workers.kills.findings())
    raise_stop(stopped)


def finalize_unanswered(
    workers: Workers, results: Results, checks: Sequence[str], error: NoAnswerError
) -> Iterator[Event]:
    """Yield the findings on a target that answers none of the first texts, and what failed before.

    A selection of checks does not restrict these findings.
    """
    yield from map(FindingReported, no_answer_findings(error))
    result = without_diagnosis(workers, results, error)
    yield from _events(workers, merge_findings(checks, *result.findings), result)
    yield from map(FindingReported, workers.kills.findings())


def _long_output(size: int) -> Iterator[tuple[str, str]]:
    """Yield a skip if the target printed very much; only the last line of its output is used."""
    if size > MAX_OUTPUT:
        yield "the output of the target", f"it wrote more than {MAX_OUTPUT >> 20} MB"


def _events(workers: Workers, findings: list[Finding], result: DiagnosisResult) -> Iterator[Event]:
    spec = workers.pool.spec
    yield from map(FindingReported, findings)
    for what, reason in (*result.skipped, *_long_output(workers.pool.output_size)):
        yield SkipRecorded(Skip(spec, what, reason, what in result.unfinished))
    if result.answers:
        yield AnswersGiven(spec, result.answers)
    if result.snapshot is not None:
        yield SnapshotTaken(spec, result.snapshot)
