"""One JSON object with everything, in ASCII.

Keys: ``schema_version``, ``interrupted``, ``options``, ``versions``, ``summary``, ``targets``,
``findings``, ``skips``, ``timings``, ``judgement``, which is what a gate says, ``policy``, and
``width`` and ``comparison``, of targets that were measured; `tokharness schema report` has all.
A finding's ``text`` is exact once ``json.loads`` has read it, lone surrogates included; where the
case was bytes, ``bytes`` has them as hex and ``text`` is null.
"""

from __future__ import annotations

import json

from tokharness.results.report import Report, report_record

__all__ = ["COMPARES", "NAME", "render"]

NAME = "json"
COMPARES = True


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write the report as indented JSON."""
    return json.dumps(report_record(report), indent=2, ensure_ascii=True) + "\n"
