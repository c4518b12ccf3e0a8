"""A report as plain data (``schemas/report.json``), and the report of such data.

A file of a report may come from a stranger.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tokharness.changes import Change, Example, GateResult, Renderings
from tokharness.config import Options
from tokharness.engine.events import (
    CampaignFinished,
    CauseDiscovered,
    FamilyFinished,
    TargetFinished,
    TargetStarted,
    finding_of,
    finding_record,
    skip_of,
    skip_record,
)
from tokharness.errors import UsageError
from tokharness.json_content import not_unicode, parse_json_text
from tokharness.model import Cause, Verdict
from tokharness.results import untrusted
from tokharness.results.comparison import comparison_record
from tokharness.results.report import Report, TargetReport, compare_targets
from tokharness.results.scorecard import scorecard, scorecard_record
from tokharness.results.untrusted import read_bounded, refuse_deep, refuse_invalid, shortened
from tokharness.targets.snapshot import ids_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

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


MOST_VALUES = 2_000_000
"""Most values and keys of a report; a report of a few megabytes has a hundred thousand."""

REPRODUCED = ("findings", "skips", "timings", "targets", "gate")
"""Keys of a report whose values are computed from the parsed report, and have to agree with it."""

COMPUTED = ("summary", "cases", "scorecard")
"""Keys of a target that are computed from others."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a report."""
    return untrusted.schema("report")


def read(path: Path) -> Report:
    """Read a report.

    Raises:
        UsageError: the file cannot be read, is not a report of this schema version, or says
            something of a target, a finding or the gate that other parts of it contradict.

    """
    record = _record(path)
    version = record.get("schema_version") if isinstance(record, dict) else None
    if version != SCHEMA_VERSION:
        raise UsageError(
            f"{path} is not a report with schema version {SCHEMA_VERSION}; "
            "pass a file that --report json=PATH of this release wrote"
        )
    try:
        refuse_invalid(record, "report")
        return _report(record)
    except ValueError as error:
        raise UsageError(f"{path} is not a valid report: {error}") from error
    except (LookupError, TypeError, AttributeError, OverflowError) as error:  # in evidence
        what = f"{type(error).__name__}: {shortened(str(error))}"
        raise UsageError(
            f"{path} is not a valid report: the evidence of a finding is of no check ({what})"
        ) from error


def _record(path: Path) -> Any:
    """Parse the JSON of the file."""
    try:
        text = read_bounded(path).decode("utf-8")
        record = parse_json_text(
            text,
            MOST_VALUES,
            object_pairs_hook=_object,
            parse_float=_finite,
            parse_constant=_reject_constant,
        )
        refuse_deep(record)
    except OSError as error:
        raise UsageError(
            f"cannot read the report {path} ({error.strerror}); "
            "pass a file that --report json=PATH wrote"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a report: {not_unicode(error)}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not a report: invalid JSON: {error}") from error
    return record


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(f"an object with {', '.join(value)[:80]} has a key twice")
    return value


def _finite(literal: str) -> float:
    number = float(literal)
    if not math.isfinite(number):
        raise ValueError(f"the number {literal[:80]} is too large")
    return number


def _reject_constant(name: str) -> None:
    raise ValueError(f"JSON does not allow {name}")


def _report(record: dict[str, Any]) -> Report:
    """Make the report of a valid record; raises ValueError if its parts contradict each other."""
    if record["created"] is not None:
        datetime.fromisoformat(record["created"])
    specs = [target["spec"] for target in record["targets"]]
    if len(set(specs)) < len(specs):
        raise ValueError("it has a target twice")
    report = report_of(record)
    same = report_record(report)
    for key in REPRODUCED:
        if not _agrees(record[key], same[key]):
            raise ValueError(f"its {key} contradict each other, or another part of it")
    return report


def _agrees(value: Any, same: Any) -> bool:
    """Whether plain data is equal, except for keys that are computed or that newer code adds."""
    if isinstance(value, dict) and isinstance(same, dict):
        return all(
            key in COMPUTED or (key in same and _agrees(item, same[key]))
            for key, item in value.items()
        )
    if isinstance(value, list | tuple) and isinstance(same, list | tuple):
        return len(value) == len(same) and all(map(_agrees, value, same))
    return bool(value == same)
