"""Findings and skips as plain data, for reports, journals and the pipes of workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.model.findings import SYMPTOM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def finding_record(finding: Finding) -> dict[str, Any]:
    """Return a finding as plain data; ``bytes`` (hex) replaces ``text`` if the case is bytes."""
    record: dict[str, Any] = {
        "spec": finding.spec,
        "code": finding.code,
        "name": finding.name,
        "verdict": finding.verdict.value,
        "cause": str(finding.cause),
        "cause_kind": finding.cause.kind,
        "cause_parameters": dict(finding.cause.parameters),
        "count": finding.count,
        "text": finding.text if isinstance(finding.text, str) else None,
        "families": list(finding.families),
        "message": finding.message,
        "symptom": finding.cause.weak,
        "fingerprint": finding.fingerprint,
        "reproduce": finding.reproduce,
        "other_checks": list(finding.other_checks),
        "library": finding.library,
        "evidence": dict(finding.evidence),
    }
    if isinstance(finding.text, bytes):
        record["bytes"] = finding.text.hex()
    return record


def finding_of(record: dict[str, Any]) -> Finding:
    """Make a finding of its record; raises KeyError, TypeError or ValueError if it is invalid."""
    cause = Cause(
        kind=record["cause_kind"],
        parameters=tuple(
            (str(key), str(value)) for key, value in record["cause_parameters"].items()
        ),
        verdict=Verdict(record["verdict"]),
        message=record["message"].removeprefix(SYMPTOM),
        weak=record.get("symptom", False),  # earlier releases did not say it
    )
    return Finding(
        spec=record["spec"],
        code=record["code"],
        name=record["name"],
        cause=cause,
        count=record["count"],
        text=bytes.fromhex(record["bytes"]) if "bytes" in record else record["text"],
        families=tuple(record["families"]),
        reproduce=record["reproduce"],
        evidence=record["evidence"],
        other_checks=tuple(record["other_checks"]),
        library=record.get("library", ""),  # earlier releases did not look for it
    )


def findings_record(findings: Mapping[str, Iterable[Finding]]) -> dict[str, list[dict[str, Any]]]:
    """Findings by the code of the check, as plain data."""
    return {code: list(map(finding_record, group)) for code, group in findings.items()}


def findings_of(record: Mapping[str, Iterable[dict[str, Any]]]) -> dict[str, list[Finding]]:
    """Make findings by the code of the check from the result of :func:`findings_record`."""
    return {code: list(map(finding_of, group)) for code, group in record.items()}


def skip_record(skip: Skip) -> dict[str, Any]:
    """Return a skip as plain data."""
    unfinished = {"unfinished": True} if skip.unfinished else {}
    return {"spec": skip.spec, "what": skip.what, "reason": skip.reason} | unfinished


def skip_of(record: dict[str, Any]) -> Skip:
    """Make a skip of its record; raises KeyError if a key is missing."""
    unfinished = record.get("unfinished", False)  # earlier releases did not say it
    return Skip(record["spec"], record["what"], record["reason"], unfinished)
