"""What a run found, as one frozen value, and as the JSON that other programs read."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from tokharness.engine.events import (
    CampaignEnded,
    CasesTried,
    Event,
    Found,
    Measured,
    RoundTried,
    Sighted,
    Skipped,
    SnapshotTaken,
    TargetFinished,
    TargetStarted,
    UnitTried,
)
from tokharness.engine.records import finding_record
from tokharness.model import Finding, Skip, Verdict
from tokharness.results.comparison import comparison, comparison_record
from tokharness.results.versions import versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokharness.changes import Change, Judgement
    from tokharness.config import FailOn, Options
    from tokharness.results.comparison import Comparison
    from tokharness.targets.snapshot import Snapshot

__all__ = [
    "SCHEMA_VERSION",
    "Collector",
    "Report",
    "TargetReport",
    "compared",
    "exit_code",
    "judgement_record",
    "report_record",
]

SCHEMA_VERSION = 1
WIDTH = 4096
"""Numbers of an embedding, where nobody says: those of a model of some seven billion weights."""


@dataclass(frozen=True, slots=True)
class TargetReport:
    """All that one target showed.

    ``campaign`` is what fuzzing did, where it was fuzzed, and ``sighted`` the causes that it saw,
    in that order. ``measures`` is what was measured for a reader, None where nothing was.
    """

    started: TargetStarted
    families: tuple[CasesTried, ...]
    findings: tuple[Finding, ...]
    skips: tuple[Skip, ...]
    finished: TargetFinished | None
    snapshot: Snapshot | None = None
    campaign: CampaignEnded | None = None
    sighted: tuple[Sighted, ...] = ()
    measures: Mapping[str, Any] | None = None

    def count(self, verdict: Verdict) -> int:
        """How many findings have this verdict."""
        return sum(finding.verdict is verdict for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Report:
    """All that one run showed; ``interrupted`` if it was ended before it was done.

    ``judgement`` is what a gate says of it. ``places`` has, for the spec of a target, the file
    of the user's repository that what is told of it belongs to. ``policy`` is what the project's
    own file says, where there is one. A report with a ``width`` compares its targets, as models
    would have them whose embeddings are so wide, and tries no cases. ``not_reached`` are targets
    that it was ended before, and ``created`` is when, as ISO 8601 has it.
    """

    options: Options
    targets: tuple[TargetReport, ...]
    versions: dict[str, Any]
    interrupted: bool = False
    judgement: Judgement | None = None
    places: Mapping[str, str] = field(default_factory=dict)
    policy: Mapping[str, Any] | None = None
    width: int | None = None
    not_reached: tuple[str, ...] = ()
    created: str | None = None

    def count(self, verdict: Verdict) -> int:
        """How many findings have this verdict, over all targets."""
        return sum(target.count(verdict) for target in self.targets)


@dataclass
class Collector:
    """Makes a report of the events of a run, as far as it came."""

    options: Options
    events: list[Event] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Take in the next event."""
        if not isinstance(event, UnitTried | RoundTried):
            self.events.append(event)

    def report(self, *, interrupted: bool = False) -> Report:
        """Return the report of the events so far."""
        starts = [i for i, event in enumerate(self.events) if isinstance(event, TargetStarted)]
        parts = [self.events[a:b] for a, b in pairwise([*starts, len(self.events)])]
        targets = tuple(_target_report(part) for part in parts)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        return Report(self.options, targets, versions(), interrupted, created=created)


def _target_report(events: list[Event]) -> TargetReport:
    started = events[0]
    if not isinstance(started, TargetStarted):
        raise TypeError("the events of a target begin with its start")
    return TargetReport(
        started=started,
        families=tuple(e for e in events if isinstance(e, CasesTried)),
        findings=tuple(e.finding for e in events if isinstance(e, Found)),
        skips=tuple(e.skip for e in events if isinstance(e, Skipped)),
        finished=next((e for e in events if isinstance(e, TargetFinished)), None),
        snapshot=next((e.snapshot for e in events if isinstance(e, SnapshotTaken)), None),
        campaign=next((e for e in events if isinstance(e, CampaignEnded)), None),
        sighted=tuple(e for e in events if isinstance(e, Sighted)),
        measures=next((e.measures for e in events if isinstance(e, Measured)), None),
    )


def exit_code(report: Report, fail_on: FailOn) -> int:
    """0 clean, 1 findings at or above ``fail_on``, or changes that fail a gate, 130 interrupted."""
    if report.interrupted:
        return 130
    if report.judgement is not None:
        return int(bool(report.judgement.failing))
    counted = {"bug": [Verdict.BUG], "risk": [Verdict.BUG, Verdict.RISK], "never": []}[fail_on]
    return int(any(report.count(verdict) for verdict in counted))


def report_record(report: Report) -> dict[str, Any]:
    """Report as plain data: the schema of the json format."""
    return {
        "schema_version": SCHEMA_VERSION,
        "created": report.created,
        "interrupted": report.interrupted,
        "not_reached": list(report.not_reached),
        "options": asdict(report.options),
        "versions": report.versions,
        "summary": {verdict.value: report.count(verdict) for verdict in Verdict},
        "targets": [target_record(target) for target in report.targets],
        "findings": [finding_record(f) for target in report.targets for f in target.findings],
        "skips": [asdict(skip) for target in report.targets for skip in target.skips],
        "timings": [timing for target in report.targets for timing in _timings(target)],
        "judgement": None if report.judgement is None else judgement_record(report.judgement),
        "places": dict(report.places),
        "policy": report.policy,
        "width": report.width,
        "comparison": None if (found := compared(report)) is None else comparison_record(found),
    }


def compared(report: Report) -> Comparison | None:
    """Compare the targets of a report that were measured; None of fewer than two, unless asked."""
    measured = {t.started.target: t.measures for t in report.targets if t.measures is not None}
    if report.width is None and len(measured) < 2:
        return None
    return comparison(measured, report.width or WIDTH)


def judgement_record(judgement: Judgement) -> dict[str, Any]:
    """What a gate says: whether it is ``passed``, and each change, with the texts that show it."""
    return {
        "name": judgement.name,
        "against": judgement.against,
        "passed": not judgement.failing,
        "accepted": judgement.accepted,
        "golden": judgement.golden,
        "changes": [_change_record(change) for change in judgement.changes],
    }


def _change_record(change: Change) -> dict[str, Any]:
    cause = change.finding.cause if change.finding else change.cause
    return {
        "kind": change.kind,
        "what": change.what,
        "message": change.message,
        "fingerprint": change.fingerprint,
        "fails": change.fails,
        "count": change.count,
        "changed": change.changed,
        "cause": None if cause is None else str(cause),
        "finding": change.finding.fingerprint if change.finding else None,
        "examples": [asdict(example) for example in change.examples],
        "with_it": [_change_record(one) for one in change.with_it],
    }


def target_record(target: TargetReport) -> dict[str, Any]:
    """Describe a target: what it is compared with, what it can do, what was tried on it."""
    return {
        **asdict(target.started),
        "families": {tried.family: tried.cases for tried in target.families},
        "cases": sum(tried.cases for tried in target.families),
        "summary": {verdict.value: target.count(verdict) for verdict in Verdict},
        "campaign": None if target.campaign is None else _campaign_record(target),
        "measures": target.measures,
    }


def _campaign_record(target: TargetReport) -> dict[str, Any]:
    sighted = [
        {"code": one.code, "cause": str(one.cause), "text": one.text, "seconds": one.seconds}
        for one in target.sighted
    ]
    return {**asdict(cast("CampaignEnded", target.campaign)), "sighted": sighted}


def _timings(target: TargetReport) -> Iterable[dict[str, Any]]:
    if target.finished is not None:
        yield {
            "target": target.finished.target,
            "cases": target.finished.cases,
            "seconds": round(target.finished.seconds, 3),
            "seconds_observing": round(target.finished.seconds_observing, 3),
        }
