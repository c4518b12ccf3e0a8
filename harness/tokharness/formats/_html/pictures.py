"""The pictures on the first screen: the costs of languages, and the coverage of Unicode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.formats._html.charts import Chart, Shape, unicode_blocks
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.results.report import TargetReport

__all__ = ["coverage", "language_bands"]

WIDTH, LABELS, COUNTS = 480, 110, 34
ROW = 22
COLUMNS, SQUARE = 40, 12
"""Squares in a row of the blocks, and the side of each."""

BANDS = ((0.0, 1.5), (1.5, 2.0), (2.0, 3.0), (3.0, 5.0), (5.0, 10.0), (10.0, float("inf")))
"""Times the tokens of English."""


def language_bands(target: TargetReport) -> Chart | None:
    """Draw a bar for each band of costs: the number of its languages; None without a table."""
    ratios = _ratios(target)
    if not ratios:
        return None
    members = [
        [code for code, ratio in ratios.items() if low <= ratio < high] for low, high in BANDS
    ]
    scale = (WIDTH - LABELS - COUNTS) / max(map(len, members))
    marks, labels = [], []
    for index, ((low, high), codes) in enumerate(zip(BANDS, members, strict=True)):
        y = index * ROW + 3
        name = f"{low:g} to {high:g} times" if low and high < float("inf") else f"{low:g} or more"
        name = name if low else f"under {high:g} times"
        text = f"{name} the tokens of English: {pluralize(len(codes), 'language')}"
        marks.append(Shape(LABELS, y, len(codes) * scale, ROW - 6, f"cost{index + 1}", text))
        labels.append(Shape(LABELS - 8, y + 12, kind="end", text=name))
        labels.append(Shape(LABELS + len(codes) * scale + 6, y + 12, text=str(len(codes))))
    return Chart(len(BANDS) * ROW + 4, tuple(marks), tuple(labels), width=WIDTH)


def coverage(target: TargetReport) -> Chart | None:
    """Draw a square for each Unicode block; None if the coverage was not measured."""
    rows = (target.measures or {}).get("coverage")
    return unicode_blocks(rows, columns=COLUMNS, size=SQUARE) if rows else None


def _ratios(target: TargetReport) -> Mapping[str, Any]:
    """Return the cost of each language in the table of TOK303, by code."""
    tables = (
        one.evidence.get("languages")
        for one in target.findings
        if one.cause.kind == "costs of languages"
    )
    return next((table for table in tables if isinstance(table, dict)), {})
