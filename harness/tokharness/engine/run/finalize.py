"""End the run of a target: diagnose, audit, take the snapshot and metrics, and emit the events.

A run that checked nothing has not passed: this is an error of its own, found in the same events.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.checks import id_space_holes
from tokharness.engine.events import (
    AnswersGiven,
    Event,
    FindingReported,
    MetricsCollected,
    RoundFinished,
    SkipRecorded,
    SnapshotTaken,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.responses import NoAnswerError, NotLoadedError
from tokharness.engine.run.death_findings import no_answer_findings, not_loaded_finding
from tokharness.engine.run.diagnosis_requests import request_diagnosis, without_diagnosis
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.report_requests import VOCABULARY, request_all_measures
from tokharness.engine.run.selection import is_of_vocabulary, select_checks, select_families
from tokharness.engine.run.stops import STOPS, raise_stop, reason_to_stop, yield_all
from tokharness.engine.worker.grouping import merge_findings
from tokharness.errors import NothingCheckedError
from tokharness.model import Skip, Verdict
from tokharness.parallel.model import ParallelText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.config import Options
    from tokharness.engine.run.diagnosis_requests import (
        AuditPlan,
        DiagnosisResult,
        Results,
        SnapshotPlan,
    )
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.pool import Pool
    from tokharness.model import Finding
    from tokharness.plugins import Check


# The report of a target that cannot be run: it does not load, or answers no first text.


def start_or_report(
    pool: Pool, begin: float, *, has_golden: bool = False
) -> Generator[Event, None, tuple[Workers, TargetStarted, list[Event]] | None]:
    """Return what :func:`.start_workers` does; if the target cannot be run, yield its report.

    This is its start at the time ``begin``, its findings, a skip for each check and family, and its
    end. Raises NotLoadedError if its reference does not load either, unless golden texts show that
    the target did load once.
    """
    options = pool.options
    try:
        return start_workers(pool)
    except NoAnswerError as error:
        findings = no_answer_findings(error)
        yield from _not_run(error.spec, options, findings, reason_to_stop(error))
    except NotLoadedError as error:
        if not error.other and not has_golden:
            raise
        finding = not_loaded_finding(error, options)
        yield from _not_run(error.spec, options, [finding], "the target does not load")
    yield from end_of_target(pool, begin)
    return None


CHANGED = "the file changed while the run used it, so its findings are of both"


def end_of_target(
    pool: Pool, begin: float, cases: int = 0, seconds: float = 0.0
) -> Iterator[SkipRecorded | TargetFinished]:
    """Yield the end of a target that began at a time, after a skip if one of its files changed."""
    if (changed := pool.changed_file()) is not None:
        yield SkipRecorded(Skip(pool.spec, str(changed), CHANGED, unfinished=True))
    yield TargetFinished(pool.spec, cases, time.perf_counter() - begin, seconds)


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


class Coverage:
    """What the texts of a run on one target covered; ``earlier`` is from an interrupted run."""

    def __init__(self, spec: str, options: Options, earlier: Iterable[Event] = ()) -> None:
        self._spec, self._selected = spec, {*options.select}
        self._has_bug = False
        self._checks: tuple[str, ...] | None = None
        self._skips: list[Skip] = []
        self._families: tuple[str, ...] = ()
        self._is_campaign = False
        self._examines_tokens = any(map(_examines_tokens, select_checks(options)))
        self._tokens = 0
        self._units: dict[tuple[str, int], tuple[int | None, Sequence[str]]] = {}
        for event in earlier:
            if isinstance(event, UnitFinished):
                self.add(event)

    def add(self, event: Event) -> None:
        """Add the next event of the run."""
        if isinstance(event, TargetStarted):
            self._checks, self._families = event.checks, event.families
            self._skips = []
        elif isinstance(event, SkipRecorded):
            self._skips.append(event.skip)
        elif isinstance(event, UnitFinished):
            self._units[event.family, event.number] = event.encoded, event.unseen
        elif isinstance(event, RoundFinished):
            self._is_campaign = True
            if event.cases:
                self._units[event.source, event.number] = event.encoded, event.unseen
        elif isinstance(event, MetricsCollected):
            self._tokens = (event.measures.get(VOCABULARY) or {}).get("tokens", 0)
        elif isinstance(event, FindingReported):
            self._has_bug |= event.finding.verdict is Verdict.BUG

    def error(self) -> NothingCheckedError | None:
        """Return the error if no check could run, no text was encoded, or a named check saw none.

        There is no error if the run has a bug or unfinished work to report, which say more.
        Without families, checks of the vocabulary have seen tokens.
        """
        if any(skip.unfinished for skip in self._skips):
            return None
        is_audit = self._checks is not None and not self._families and not self._is_campaign
        can_show = self._families or self._tokens or not self._examines_tokens
        if is_audit and not (self._checks == () and can_show):
            return self._without_families()
        if self._checks == () and not self._has_bug:
            return NothingCheckedError(
                f"no selected check can run on {self._spec} ({'; '.join(self._reasons())}), so "
                "nothing was checked: name other checks with --select"
            )
        counts = [encoded for encoded, _ in self._units.values()]
        if self._has_bug or None in counts:
            return None
        texts, hint = (
            f"the families {', '.join(self._families)}",
            "name other families with --family",
        )
        if self._is_campaign:
            texts, hint = "the campaign", "fuzz it for longer, or without --family"
        if not any(counts):
            return NothingCheckedError(
                f"no text of {texts} was encoded by {self._spec}, so nothing was checked: {hint}"
            )
        if unseen := [code for code in self._named_checks() if self._saw_nothing(code)]:
            names = ", ".join(f"{code} {plugins.checks()[code].name}" for code in unseen)
            return NothingCheckedError(f"{names} saw no text of {texts} on {self._spec}: {hint}")
        return None

    def _without_families(self) -> NothingCheckedError | None:
        if self._has_bug or self._tokens or not self._examines_tokens:
            return None
        reasons = dict.fromkeys(skip.reason for skip in self._skips_of_checks())
        why = "; ".join(reasons) or "no id below n_vocab has a token"
        return NothingCheckedError(
            f"{self._spec} shows no vocabulary, so nothing was audited ({why}): to check it on "
            "texts, run `tokharness check`"
        )

    def _reasons(self) -> list[str]:
        """Return the skips of checks, each with its reason."""
        return [f"{skip.what}: {skip.reason}" for skip in self._skips_of_checks()]

    def _skips_of_checks(self) -> list[Skip]:
        return [skip for skip in self._skips if skip.what.partition(" ")[0] in plugins.checks()]

    def _named_checks(self) -> list[str]:
        """Checks that are selected by their own code or name, and that only texts can fail."""
        checks = [plugins.checks()[code] for code in self._checks or ()]
        return [
            check.code
            for check in checks
            if check.failing and not check.audit and {check.code, check.name} & self._selected
        ]

    def _saw_nothing(self, code: str) -> bool:
        return all(code in unseen for _, unseen in self._units.values())


def _examines_tokens(check: Check) -> bool:
    """Whether a check examines tokens; the check for holes can also examine only special ids."""
    return is_of_vocabulary(check) and check.code != id_space_holes.CODE


class WatchedEvents(Generator[Event]):
    """The events of a run on one target, which ``coverage`` sees too."""

    def __init__(self, events: Generator[Event], coverage: Coverage) -> None:
        self._events, self._coverage = events, coverage

    def send(self, value: None) -> Event:
        """Return the next event."""
        return self._seen(self._events.send(value))

    def throw(self, *error: Any) -> Event:
        """Raise an exception, such as an interrupt, in the run."""
        return self._seen(self._events.throw(*error))

    def _seen(self, event: Event) -> Event:
        self._coverage.add(event)
        return event
