"""A row a finding, for a spreadsheet, in ASCII.

Columns: target, verdict, code, name, cause, message, text, count, families, fingerprint, reproduce.
Hostile characters are escapes, and no cell is a formula: one that a spreadsheet might take for one
(it begins with = + - @) begins with an apostrophe (OWASP, "CSV Injection").
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from tokharness.escaping import cell, spreadsheet, verbatim

if TYPE_CHECKING:
    from tokharness.model import Finding
    from tokharness.results.report import Report

__all__ = ["COLUMNS", "NAME", "render"]

NAME = "csv"

LONGEST = 2_000
"""Columns of a cell; spreadsheets take some ten times that, and nobody reads it."""

COLUMNS = (
    *("target", "verdict", "code", "name", "cause", "message", "text", "count", "families"),
    *("fingerprint", "reproduce"),
)


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write a head and a row a finding, lines ended as RFC 4180 has it."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for target in report.targets:
        writer.writerows(_row(finding) for finding in target.findings)
    return stream.getvalue()


def _row(finding: Finding) -> list[str]:
    cells = (
        *(finding.target, finding.verdict.value, finding.code, finding.name, str(finding.cause)),
        *(finding.message, "" if finding.text is None else finding.text, str(finding.count)),
        *(", ".join(finding.families), finding.fingerprint),
    )
    # A backslash of a command is the shell's; in it a text is JSON, which has its own escapes.
    command = verbatim(finding.reproduce).replace(";", r"\u003b")
    return [*(spreadsheet(one, most=LONGEST) for one in cells), cell(command)]
