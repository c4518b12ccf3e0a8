"""A table with a row for each token of an audit, for a spreadsheet, in ASCII.

Columns: spec, id, token, bytes (hex), kind, reach, witness, reason and classes; an audit with a
corpus adds count, and an audit with embeddings adds norm and rank. Hostile characters are escaped,
and no cell is a formula, as in the table of findings.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from tokharness.escaping import spreadsheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.escaping import Cell
    from tokharness.model import TokenRow
    from tokharness.results.report import Report

    Field = Callable[[TokenRow], str | bytes]

NAME = "csv"

MAX_CELL = 2_000

FIELDS: dict[str, Field] = {
    "id": lambda row: str(row.id),
    "token": lambda row: "" if row.content is None else row.content,
    "bytes": lambda row: "" if row.bytes is None else row.bytes.hex(),
    "kind": lambda row: row.kind,
    "reach": lambda row: row.state,
    "witness": lambda row: row.witness or "",
    "reason": lambda row: row.reason,
    "classes": lambda row: ", ".join(row.classes),
}
OF_CORPUS: dict[str, Field] = {"count": lambda row: _number(row.count)}
OF_EMBEDDINGS: dict[str, Field] = {
    "norm": lambda row: _number(row.norm),
    "rank": lambda row: _number(row.rank),
}


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Render a header and a row for each id, with line ends as in RFC 4180."""
    fields = FIELDS | (OF_CORPUS if report.options.corpus else {})
    fields |= OF_EMBEDDINGS if report.options.embeddings else {}
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(["spec", *fields])
    for target in report.targets:
        spec = spreadsheet(target.started.spec)
        writer.writerows([spec, *_cells(row, fields)] for row in target.tokens or ())
    return stream.getvalue()


def _cells(row: TokenRow, fields: dict[str, Field]) -> list[Cell]:
    return [spreadsheet(field(row), most=MAX_CELL) for field in fields.values()]


def _number(value: float | None) -> str:
    return "" if value is None else str(value)
