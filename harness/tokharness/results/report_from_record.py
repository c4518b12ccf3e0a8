"""A report of its plain data: the inverse of ``report_record``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.changes import Change, Example, GateResult
from tokharness.config import Options
from tokharness.engine.events import (
    CampaignFinished,
    CauseDiscovered,
    FamilyFinished,
    TargetFinished,
    TargetStarted,
)
from tokharness.engine.finding_records import finding_of, skip_of
from tokharness.model import Cause
from tokharness.results.report import Report, TargetReport
from tokharness.targets.snapshot import ids_of

if TYPE_CHECKING:
    from tokharness.model import Finding, Skip

__all__ = ["report_of"]


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
    )
