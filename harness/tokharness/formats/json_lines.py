"""JSON lines, in ASCII: a ``run``, each ``target``, ``skip`` and ``finding``, then a ``summary``.

Before that stands the ``judgement`` of a gate. Every line is one object whose ``type`` says which;
the other keys are those of the json format.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.engine.records import finding_record
from tokharness.results.report import Report, report_record, target_record

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["NAME", "render"]

NAME = "jsonl"


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write the report, a record a line."""
    return "".join(json.dumps(record, ensure_ascii=True) + "\n" for record in _records(report))


def _records(report: Report) -> Iterator[dict[str, Any]]:
    whole = report_record(report)
    yield {"type": "run"} | {key: whole[key] for key in ("schema_version", "options", "versions")}
    for target in report.targets:
        yield {"type": "target"} | target_record(target)
        for skip in target.skips:
            yield {"type": "skip"} | asdict(skip)
        for finding in target.findings:
            yield {"type": "finding"} | finding_record(finding)
    if whole["judgement"] is not None:
        yield {"type": "judgement"} | whole["judgement"]
    yield {"type": "summary"} | {key: whole[key] for key in ("interrupted", "summary", "timings")}
