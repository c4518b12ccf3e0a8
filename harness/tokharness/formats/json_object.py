"""One JSON object with the whole report, in ASCII.

Keys: ``schema_version``, ``interrupted``, ``options``, ``versions``, ``summary``, ``targets``,
``findings``, ``skips``, ``timings``, ``gate`` (the result of a gate), ``policy``, and, if metrics
were collected, ``comparison``; `tokharness schema report` prints the schema. ``json.loads``
restores the ``text`` of a finding exactly, lone surrogates included. If the case consists of bytes,
``bytes`` has them as hex and ``text`` is null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import json_text
from tokharness.results.report_record import report_record

if TYPE_CHECKING:
    from tokharness.escaping import Shown
    from tokharness.results.report import Report

__all__ = ["COMPARES", "NAME", "render"]

NAME = "json"
COMPARES = True


def render(report: Report, *, width: int | None = None, color: bool = False) -> Shown:
    """Render the report as indented JSON."""
    return json_text(report_record(report), indent=2)
