"""The pictures on the first screen: the costs of languages, and the coverage of Unicode."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.diagnosis.costs.language_bands import BANDS, band_for
from tokharness.formats._html.charts import Chart, Shape, unicode_blocks
from tokharness.formats._wording import pluralize
from tokharness.results.language_costs import costs_in_parallel_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.results.report import TargetReport

__all__ = ["coverage", "language_bands", "language_source"]

WIDTH, LABELS, COUNTS = 480, 124, 34
ROW = 22
COLUMNS, SQUARE = 40, 12
"""Squares in a row of the blocks, and the side of each."""


def language_bands(target: TargetReport) -> Chart | None:
    """Draw a bar for each band of costs: the number of its languages; None without a table."""
    counts = _bands(target)
    if not counts:
        return None
    scale = (WIDTH - LABELS - COUNTS) / max(*counts.values(), 1)
    marks, labels = [], []
    for index, (band, count) in enumerate(counts.items()):
        y = index * ROW + 3
        text = f"{band} times the tokens of English: {pluralize(count, 'language')}"
        marks.append(Shape(LABELS, y, count * scale, ROW - 6, f"cost{index + 1}", text))
        labels.append(Shape(LABELS - 8, y + 12, kind="end", text=f"{band} times"))
        labels.append(Shape(LABELS + count * scale + 6, y + 12, text=str(count)))
    return Chart(len(counts) * ROW + 4, tuple(marks), tuple(labels), width=WIDTH)


def language_source(target: TargetReport) -> str:
    """Say what the costs of languages were measured on."""
    exact = costs_in_parallel_text((target.measures or {}).get("parallel"))
    return "estimated by names of CLDR" if exact is None else f"in {exact.source}"


def coverage(target: TargetReport) -> Chart | None:
    """Draw a square for each Unicode block; None if the coverage was not measured."""
    rows = (target.measures or {}).get("coverage")
    return unicode_blocks(rows, columns=COLUMNS, size=SQUARE) if rows else None


def _bands(target: TargetReport) -> Mapping[str, int]:
    """Return how many languages are in each band: of a parallel text, or by names (TOK303)."""
    if exact := costs_in_parallel_text((target.measures or {}).get("parallel")):
        found = Counter(band_for(one.times) for one in exact.languages)
        return {band: found[band] for band in BANDS}
    tables = (
        one.evidence.get("bands")
        for one in target.findings
        if one.cause.kind == "costs of languages"
    )
    return next((table for table in tables if isinstance(table, dict)), {})
