"""A report as plain data: the JSON that other programs read (``schemas/report.json``)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.engine.finding_records import finding_record, skip_record
from tokharness.model import Verdict
from tokharness.results.comparison import comparison_record
from tokharness.results.report import compare_targets
from tokharness.results.scorecard import scorecard, scorecard_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.changes import Change, GateResult
    from tokharness.engine.events import CampaignFinished, FamilyFinished
    from tokharness.results.report import Report, TargetReport

__all__ = ["SCHEMA_VERSION", "gate_record", "report_record", "target_record"]

SCHEMA_VERSION = 2


def report_record(report: Report) -> dict[str, Any]:
    """Return the whole report as plain data."""
    comparison = compare_targets(report)
    return {
        "schema_version": SCHEMA_VERSION,
        "created": report.created,
        "interrupted": report.interrupted,
        "not_run": list(report.not_run),
        "options": asdict(report.options),
        "versions": report.versions,
        "summary": _summary(report.targets),
        "targets": [target_record(target) for target in report.targets],
        "findings": [finding_record(f) for target in report.targets for f in target.findings],
        "skips": [skip_record(skip) for target in report.targets for skip in target.skips],
        "timings": [timing for target in report.targets for timing in _timings(target)],
        "gate": None if report.gate is None else gate_record(report.gate),
        "locations": dict(report.locations),
        "policy": report.policy,
        "embedding_width": report.embedding_width,
        "comparison": None if comparison is None else comparison_record(comparison),
    }


def target_record(target: TargetReport) -> dict[str, Any]:
    """Return what a target is, what it was compared with, and how many cases were run."""
    started, campaign = target.started, target.campaign
    return {
        "spec": started.spec,
        "against": started.against,
        "scorecard": scorecard_record(scorecard(target)),
        "capabilities": list(started.capabilities),
        "normalizer": started.normalizer,
        "unicode_version": started.unicode_version,
        "families": {family.family: family.cases for family in target.families},
        "texts": {family.family: _text_counts(family) for family in target.families},
        "checks": list(started.checks),
        "cases": sum(family.cases for family in target.families),
        "summary": _summary((target,)),
        "campaign": None if campaign is None else _campaign_record(campaign, target),
        "measures": target.measures,
    }


def _summary(targets: Sequence[TargetReport]) -> dict[str, int]:
    """Return how many findings have each verdict, and how many bugs and risks are a library's."""
    counts = {one.value: sum(target.count(one) for target in targets) for one in Verdict}
    return {**counts, "library": sum(len(target.of_library) for target in targets)}


def _text_counts(family: FamilyFinished) -> dict[str, int | None]:
    return {name: getattr(family, name) for name in ("unchanged", "compared", "same_ids")}


def _campaign_record(campaign: CampaignFinished, target: TargetReport) -> dict[str, Any]:
    return {
        "spec": campaign.spec,
        "seed": campaign.seed,
        "first_round": campaign.first_round,
        "end_round": campaign.end_round,
        "texts": campaign.texts,
        "seconds": campaign.seconds,
        "sources": dict(campaign.sources),
        "features": dict(campaign.features),
        "initial_corpus": campaign.initial_corpus,
        "resumable": campaign.resumable,
        "discovered": [
            {"code": one.code, "cause": str(one.cause), "text": one.text, "seconds": one.seconds}
            for one in target.discovered
        ],
    }


def _timings(target: TargetReport) -> Iterator[dict[str, Any]]:
    if target.finished is not None:
        yield {
            "spec": target.finished.spec,
            "cases": target.finished.cases,
            "seconds": target.finished.seconds,
            "tokenizer_seconds": target.finished.tokenizer_seconds,
        }


def gate_record(gate: GateResult) -> dict[str, Any]:
    """Return whether the gate ``passed``, and each change with texts that show it."""
    return {
        "name": gate.name,
        "against": gate.against,
        "passed": not gate.failing,
        "accepted": gate.accepted,
        "golden_texts": gate.golden_texts,
        "newly_accepted": gate.newly_accepted,
        "changes": [_change_record(change) for change in gate.changes],
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
        "changed_texts": change.changed_texts,
        "cause": None if cause is None else str(cause),
        "finding": change.finding.fingerprint if change.finding else None,
        "examples": [asdict(example) for example in change.examples],
        "related": [_change_record(related) for related in change.related],
        "next": list(change.next),
    }
