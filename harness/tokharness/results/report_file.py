"""Read a report from its JSON file, which a stranger may have made."""

from __future__ import annotations

import math
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tokharness.errors import UsageError
from tokharness.json_content import not_unicode, parse_json_text
from tokharness.results import untrusted
from tokharness.results.report_record import SCHEMA_VERSION, report_of, report_record
from tokharness.results.untrusted import read_bounded, refuse_deep, refuse_invalid

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.results.report import Report

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
