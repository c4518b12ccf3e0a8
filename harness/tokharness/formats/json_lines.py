"""JSON lines, in ASCII: a ``run``, each ``target``, ``skip`` and ``finding``, then a ``summary``.

A gate adds a line ``gate`` before the summary. Every line is an object with a ``type`` and
otherwise the keys of the json format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.events import finding_record, skip_record
from tokharness.escaping import Shown, json_text
from tokharness.results.report_record import report_record, target_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

NAME = "jsonl"


def render(report: Report, *, width: int | None = None, color: bool = False) -> Shown:
    """Render the report, one record per line."""
    return Shown("").join(map(json_text, _records(report)))


def _records(report: Report) -> Iterator[dict[str, Any]]:
    whole = report_record(report)
    yield {"type": "run"} | {key: whole[key] for key in ("schema_version", "options", "versions")}
    for target in report.targets:
        yield {"type": "target"} | target_record(target)
        for skip in target.skips:
            yield {"type": "skip"} | skip_record(skip)
        for finding in target.findings:
            yield {"type": "finding"} | finding_record(finding)
    if whole["gate"] is not None:
        yield {"type": "gate"} | whole["gate"]
    yield {"type": "summary"} | {key: whole[key] for key in ("interrupted", "summary", "timings")}
