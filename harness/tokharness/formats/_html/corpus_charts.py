"""Charts of a scanned corpus: the cost of its parts, and how often each token is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.formats._html.charts import (
    LABELS,
    ROW,
    WIDTH,
    Chart,
    Shape,
    log_scale,
    powers_of_ten,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_BARS = 30
MAX_LABEL = 27
"""Characters of a label, which ends where the marks begin."""


def costs(rows: Sequence[Mapping[str, Any]]) -> Chart:
    """Draw a bar for each file, script or language: its tokens per byte, the most costly first."""
    values = [(row["tokens"] / row["bytes"], row) for row in rows if row["bytes"]]
    values.sort(key=lambda pair: (-pair[0], pair[1]["name"]))
    values = values[:MAX_BARS]
    scale = (WIDTH - LABELS - 60) / (max((value for value, _ in values), default=0) or 1)
    marks, labels = [], []
    for index, (value, row) in enumerate(values):
        y, name = index * ROW + 4, row["name"]
        text = f"{name}: {row['documents']:,} documents, {row['tokens']:,} tokens"
        marks.append(Shape(LABELS, y, value * scale, ROW - 5, "bar", text))
        short = name if len(name) <= MAX_LABEL else f"...{name[3 - MAX_LABEL :]}"
        labels.append(Shape(LABELS - 8, y + 11, kind="end", text=short))
        labels.append(Shape(LABELS + value * scale + 6, y + 11, text=f"{value:.3f}"))
    return Chart(len(values) * ROW + 8, tuple(marks), tuple(labels))


def use_of_tokens(curve: Sequence[Sequence[int]]) -> Chart:
    """Draw how often the token of each rank occurs, on log scales (Zipf's curve)."""
    height, left = 260, 80
    ranks, counts = [rank for rank, _ in curve] or [1], [count for _, count in curve] or [1]
    x = log_scale(ranks, left, WIDTH - 40)
    y = log_scale(counts, 0, height - 50)
    points = " ".join(f"{x(rank):.1f},{height - 30 - y(count):.1f}" for rank, count in curve)
    mark = Shape(0, 0, kind="curve0", text="occurrences by rank", points=points)
    ticks = [
        Shape(x(one), 6, 0, height - 36, "axis", f"{one:,.0f}") for one in powers_of_ten(ranks)
    ]
    ticks += [
        Shape(left, height - 30 - y(one), WIDTH - 40 - left, 0, "level", f"{one:,.0f}")
        for one in powers_of_ten(counts)
    ]
    return Chart(height, (mark,) if points else (), (), tuple(ticks))
