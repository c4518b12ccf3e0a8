"""A table with a row for each document that a scan lists, for a spreadsheet, in ASCII.

Columns: spec, list, place, value, tokens, bytes and text (its first characters). The lists are
those of the report, such as "longest", then "fails CODE" for documents that fail a check, and "not
read" for rows that hold no document, with the reason in the place of the text. Hostile characters
are escaped, and no cell is a formula, as in the table of findings.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from tokharness.escaping import spreadsheet
from tokharness.formats._corpus_lines import corpus_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.results.report import Report

NAME = "csv"

COLUMNS = ("spec", "list", "place", "value", "tokens", "bytes", "text")

MAX_CELL = 2_000


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Render a header and a row for each listed document, with line ends as in RFC 4180."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for target in report.targets:
        corpus = corpus_of(target)
        for row in () if corpus is None else _rows(corpus):
            cells = (target.started.spec, *row)
            writer.writerow([spreadsheet(cell, most=MAX_CELL) for cell in cells])
    return stream.getvalue()


def _rows(corpus: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each document; a place that is not measured has empty ones."""
    for row in corpus["documents"]:
        numbers = (f"{row[name]:.15g}" for name in ("value", "tokens", "bytes"))
        yield row["list"], row["place"], *numbers, row["text"]
    for row in corpus["failing"]:
        yield from ((f"fails {row['code']}", place, "", "", "", "") for place in row["places"])
    for row in corpus["bad"]:
        yield from (("not read", place, "", "", "", row["reason"]) for place in row["places"])
