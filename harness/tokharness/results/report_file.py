"""Read a report again from the JSON that was written of it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokharness.changes import Change, Example, Judgement
from tokharness.config import Options
from tokharness.engine.events import (
    CampaignEnded,
    CasesTried,
    Sighted,
    TargetFinished,
    TargetStarted,
)
from tokharness.engine.records import finding_of
from tokharness.errors import UsageError
from tokharness.model import Cause, Finding, Skip
from tokharness.results.report import SCHEMA_VERSION, Report, TargetReport
from tokharness.targets.snapshot import ids_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read", "report_of", "schema"]

STARTED = ("capabilities", "families", "checks")


@cache
def schema() -> dict[str, Any]:
    """JSON Schema of a report."""
    text = files("tokharness").joinpath("schemas/report.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def read(path: Path) -> Report:
    """Read a report.

    Raises:
        UsageError: it cannot be read, or is no report of this version.

    """
    import jsonschema

    try:
        record = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except OSError as error:
        raise UsageError(
            f"cannot read the report {path}: {error.strerror}: name a file of --report json="
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no report: it is not JSON: {error}") from error
    version = record.get("schema_version") if isinstance(record, dict) else None
    if version != SCHEMA_VERSION:
        raise UsageError(
            f"{path} is no report of schema version {SCHEMA_VERSION}, which this tokharness reads: "
            "write one with --report json="
        )
    try:
        jsonschema.Draft202012Validator(schema()).validate(record)
        return report_of(record)
    except jsonschema.ValidationError as error:
        raise UsageError(
            f"{path} is no report: {error.json_path}: {_short(error.message)}"
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path} is no report, or is damaged: {_short(repr(error))}") from error


def _no_number(name: str) -> None:
    raise ValueError(f"JSON has no {name}")


def _short(message: str, most: int = 200) -> str:
    return message if len(message) <= most else f"{message[:most]}..."


def report_of(record: dict[str, Any]) -> Report:
    """Report of its record; raises KeyError, TypeError or ValueError if it is none."""
    options: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in record["options"].items()
    }
    findings = [finding_of(one) for one in record["findings"]]
    skips = [Skip(**one) for one in record["skips"]]
    timings = {one["target"]: one for one in record["timings"]}
    return Report(
        options=Options(**options),
        targets=tuple(_target(one, findings, skips, timings) for one in record["targets"]),
        versions=record["versions"],
        interrupted=record["interrupted"],
        judgement=_judgement(record["judgement"], findings) if record["judgement"] else None,
        places=record["places"],
        policy=record["policy"],
        width=record["width"],
        not_reached=tuple(record["not_reached"]),
        created=record["created"],
    )


def _target(
    record: dict[str, Any],
    findings: list[Finding],
    skips: list[Skip],
    timings: dict[str, dict[str, Any]],
) -> TargetReport:
    spec = record["target"]
    started: dict[str, Any] = {
        key: tuple(record[key]) if key in STARTED else record[key]
        for key in TargetStarted.__dataclass_fields__
    }
    campaign = record["campaign"]
    sighted = [] if campaign is None else campaign["sighted"]
    kept = {key: campaign[key] for key in CampaignEnded.__dataclass_fields__} if campaign else {}
    return TargetReport(
        started=TargetStarted(**started),
        families=tuple(
            CasesTried(spec, family, cases, failing=0)
            for family, cases in record["families"].items()
        ),
        findings=tuple(one for one in findings if one.target == spec),
        skips=tuple(one for one in skips if one.target == spec),
        finished=TargetFinished(**timings[spec]) if spec in timings else None,
        campaign=CampaignEnded(**kept) if campaign else None,
        sighted=tuple(
            Sighted(spec, one["code"], "", Cause(one["cause"]), one["text"], one["seconds"])
            for one in sighted
        ),
        measures=record["measures"],
    )


def _judgement(record: dict[str, Any], findings: list[Finding]) -> Judgement:
    known = {finding.fingerprint: finding for finding in reversed(findings)}
    return Judgement(
        name=record["name"],
        against=record["against"],
        changes=tuple(_change(one, known) for one in record["changes"]),
        accepted=record["accepted"],
        golden=record["golden"],
    )


def _change(record: dict[str, Any], known: dict[str, Finding]) -> Change:
    finding = known.get(record["finding"])
    return Change(
        kind=record["kind"],
        what=record["what"],
        message=record["message"],
        fingerprint=record["fingerprint"],
        fails=record["fails"],
        finding=finding,
        examples=tuple(
            Example(one["text"], ids_of(one["before"]), ids_of(one["after"]))
            for one in record["examples"]
        ),
        count=record["count"],
        cause=Cause(record["cause"]) if record["cause"] and not finding else None,
        with_it=tuple(_change(one, known) for one in record["with_it"]),
    )
