"""Read a report from its JSON file."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokharness.errors import UsageError
from tokharness.results.report_from_record import report_of
from tokharness.results.report_record import SCHEMA_VERSION
from tokharness.results.upgrade import upgrade

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.results.report import Report

__all__ = ["read", "schema"]


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of a report."""
    text = files("tokharness").joinpath("schemas/report.json").read_text(encoding="utf-8")
    report_schema: dict[str, Any] = json.loads(text)
    return report_schema


def read(path: Path) -> Report:
    """Read a report of this or an older schema version.

    Raises:
        UsageError: the file cannot be read, is not a report, or has a newer schema version.

    """
    import jsonschema

    try:
        text = path.read_text(encoding="utf-8")
        record = upgrade(json.loads(text, parse_constant=_reject_constant))
    except OSError as error:
        raise UsageError(
            f"cannot read the report {path} ({error.strerror}); "
            "pass a file that --report json=PATH wrote"
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not a report: invalid JSON: {error}") from error
    version = record.get("schema_version") if isinstance(record, dict) else None
    if version != SCHEMA_VERSION:
        raise UsageError(
            f"{path} is not a report with a schema version from 1 to {SCHEMA_VERSION}; "
            "pass a file that --report json=PATH wrote"
        )
    try:
        jsonschema.Draft202012Validator(schema()).validate(record)
        return report_of(record)
    except jsonschema.ValidationError as error:
        raise UsageError(
            f"{path} is not a valid report: {error.json_path}: {_short(error.message)}"
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path} is not a valid report: {_short(repr(error))}") from error


def _reject_constant(name: str) -> None:
    raise ValueError(f"JSON does not allow {name}")


def _short(message: str, limit: int = 200) -> str:
    return message if len(message) <= limit else f"{message[:limit]}..."
