"""A report as plain data, and the report of such data (``schemas/report.json``)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.changes import Change, Example, GateResult, Renderings
from tokharness.config import Options
from tokharness.engine.events import (
    CampaignFinished,
    CauseDiscovered,
    FamilyFinished,
    TargetFinished,
    TargetStarted,
)
from tokharness.engine.finding_records import finding_of, finding_record, skip_of, skip_record
from tokharness.model import Cause, Verdict
from tokharness.results.comparison import comparison_record
from tokharness.results.report import Report, TargetReport, compare_targets
from tokharness.results.scorecard import scorecard, scorecard_record
from tokharness.targets.snapshot import ids_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.model import Finding, Skip

# A report of its plain data: the inverse of ``report_record``.


def report_of(record: dict[str, Any]) -> Report:
    """Make a report of its record; raises KeyError, TypeError or ValueError if it is invalid."""
    options: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in record["options"].items()
    }
    findings = [finding_of(finding) for finding in record["findings"]]
    skips = [skip_of(skip) for skip in record["skips"]]
    timings = {timing["spec"]: timing for timing in record["timings"]}
    return Report(
        options=Options(**options),
        targets=tuple(_target(target, findings, skips, timings) for target in record["targets"]),
        versions=record["versions"],
        interrupted=record["interrupted"],
        gate=_gate(record["gate"], findings) if record["gate"] else None,
        locations=record["locations"],
        policy=record["policy"],
        embedding_width=record["embedding_width"],
        not_run=tuple(record["not_run"]),
        created=record["created"],
    )


def _target(
    record: dict[str, Any],
    findings: list[Finding],
    skips: list[Skip],
    timings: dict[str, dict[str, Any]],
) -> TargetReport:
    spec = record["spec"]
    campaign = record["campaign"]
    texts = record.get("texts", {})  # earlier releases did not count them
    return TargetReport(
        started=TargetStarted(
            spec,
            against=record["against"],
            capabilities=tuple(record["capabilities"]),
            normalizer=record["normalizer"],
            unicode_version=record["unicode_version"],
            families=tuple(record["families"]),
            checks=tuple(record["checks"]),
        ),
        families=tuple(
            FamilyFinished(spec, family, cases, failing=0, **texts.get(family, {}))
            for family, cases in record["families"].items()
        ),
        findings=tuple(finding for finding in findings if finding.spec == spec),
        skips=tuple(skip for skip in skips if skip.spec == spec),
        finished=_finished(timings[spec]) if spec in timings else None,
        campaign=_campaign(campaign) if campaign else None,
        discovered=tuple(
            CauseDiscovered(spec, one["code"], "", Cause(one["cause"]), one["text"], one["seconds"])
            for one in (campaign["discovered"] if campaign else ())
        ),
        measures=record["measures"],
    )


def _finished(record: dict[str, Any]) -> TargetFinished:
    return TargetFinished(
        record["spec"], record["cases"], record["seconds"], record["tokenizer_seconds"]
    )


def _campaign(record: dict[str, Any]) -> CampaignFinished:
    return CampaignFinished(
        record["spec"],
        seed=record["seed"],
        first_round=record["first_round"],
        end_round=record["end_round"],
        texts=record["texts"],
        seconds=record["seconds"],
        sources=record["sources"],
        features=record["features"],
        initial_corpus=record["initial_corpus"],
        resumable=record["resumable"],
    )


def _gate(record: dict[str, Any], findings: list[Finding]) -> GateResult:
    by_fingerprint = {finding.fingerprint: finding for finding in reversed(findings)}
    return GateResult(
        name=record["name"],
        against=record["against"],
        changes=tuple(_change(change, by_fingerprint) for change in record["changes"]),
        accepted=record["accepted"],
        golden_texts=record["golden_texts"],
        newly_accepted=record.get("newly_accepted", 0),
    )


def _change(record: dict[str, Any], by_fingerprint: dict[str, Finding]) -> Change:
    finding = by_fingerprint.get(record["finding"])
    return Change(
        kind=record["kind"],
        what=record["what"],
        message=record["message"],
        fingerprint=record["fingerprint"],
        fails=record["fails"],
        finding=finding,
        examples=tuple(
            Example(example["text"], ids_of(example["before"]), ids_of(example["after"]))
            for example in record["examples"]
        ),
        count=record["count"],
        cause=Cause(record["cause"]) if record["cause"] and not finding else None,
        related=tuple(_change(change, by_fingerprint) for change in record["related"]),
        next=tuple(record.get("next", ())),  # earlier releases had none
        renderings=Renderings(**record["renderings"]) if "renderings" in record else None,
    )


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
    """Return the target, its reference, and the number of cases that were run, as plain data."""
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
    """Count the findings of each verdict, and the bugs and risks of libraries."""
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
        **({} if change.renderings is None else {"renderings": asdict(change.renderings)}),
    }
