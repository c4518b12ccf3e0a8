"""A table with a row for each finding, for a spreadsheet, in ASCII.

Columns: spec, verdict, code, name, cause, message, text, count, families, fingerprint, reproduce.
Hostile characters are escaped. No cell is a formula: an apostrophe precedes a cell that begins with
= + - or @ (OWASP, "CSV Injection").
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from tokharness.escaping import Cell, cell, line_verbatim, spreadsheet

if TYPE_CHECKING:
    from tokharness.model import Finding
    from tokharness.results.report import Report

__all__ = ["COLUMNS", "NAME", "render"]

NAME = "csv"

MAX_CELL = 2_000
"""Columns of a cell; spreadsheets accept about ten times as many."""

COLUMNS = (
    *("spec", "verdict", "code", "name", "cause", "message", "text", "count", "families"),
    *("fingerprint", "reproduce"),
)


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Render a header and a row for each finding, with line ends as in RFC 4180."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for target in report.targets:
        writer.writerows(_row(finding) for finding in target.findings)
    return stream.getvalue()


def _row(finding: Finding) -> list[Cell]:
    cells = (
        *(finding.spec, finding.verdict.value, finding.code, finding.name, str(finding.cause)),
        *(finding.message, "" if finding.text is None else finding.text, str(finding.count)),
        *(", ".join(finding.families), finding.fingerprint),
    )
    # Backslashes in a command are for the shell; the text in it is JSON with its own escapes.
    command = line_verbatim(finding.reproduce.replace(";", r"\u003b"))
    return [*(spreadsheet(text, most=MAX_CELL) for text in cells), cell(command)]
