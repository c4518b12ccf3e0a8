"""A table with a row for each finding, token of an audit, or listed document of a scan, in ASCII.

Columns: spec, verdict, code, name, cause, message, text, count, families, fingerprint, library,
reproduce. For a comparison, it has a row for each metric: group, name, unit, and the value of each
target. Hostile characters are escaped. No cell is a formula: an apostrophe precedes a cell that
begins with = + - or @ (OWASP, "CSV Injection"), or with an apostrophe itself.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from tokharness.escaping import Cell, cell, line_verbatim, spreadsheet
from tokharness.results.report import compare_targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.model import Finding
    from tokharness.results.comparison import Comparison
    from tokharness.results.report import Report

__all__ = ["COLUMNS", "COMPARES", "NAME", "render"]

NAME = "csv"
COMPARES = True

MAX_CELL = 2_000
"""Columns of a cell; spreadsheets accept about ten times as many."""

COLUMNS = (
    *("spec", "verdict", "code", "name", "cause", "message", "text", "count", "families"),
    *("fingerprint", "library", "reproduce"),
)


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Render a header and a row for each finding, with line ends as in RFC 4180."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    comparison = compare_targets(report)
    if report.embedding_width is not None and comparison is not None:
        writer.writerows(_comparison(comparison))
        return stream.getvalue()
    writer.writerow(COLUMNS)
    for target in report.targets:
        writer.writerows(_row(finding) for finding in target.findings)
    return stream.getvalue()


def _comparison(comparison: Comparison) -> Iterator[list[Cell]]:
    """Yield a header, a row for each metric with its exact values, and a row for each note."""
    yield [spreadsheet(text) for text in ("group", "name", "unit", *comparison.specs)]
    for row in comparison.rows:
        values = ("" if value is None else str(value) for value in row.values)
        yield [spreadsheet(text) for text in (row.group, row.name, row.unit, *values)]
    empty = [spreadsheet("")] * (1 + len(comparison.specs))
    yield from ([spreadsheet("note"), spreadsheet(note), *empty] for note in comparison.notes)


def _row(finding: Finding) -> list[Cell]:
    cells = (
        *(finding.spec, finding.verdict.value, finding.code, finding.name, str(finding.cause)),
        *(finding.message, "" if finding.text is None else finding.text, str(finding.count)),
        *(", ".join(finding.families), finding.fingerprint, finding.library),
    )
    # Backslashes in a command are for the shell; the text in it is JSON with its own escapes.
    command = line_verbatim(finding.reproduce.replace(";", r"\u003b"))
    return [*(spreadsheet(text, most=MAX_CELL) for text in cells), cell(command)]
