"""Charts of a scanned corpus: the cost of its parts, and how often each token is used."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from tokharness.escaping import Shown, visible
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
ROOM = LABELS - 16
"""Width of a label, which ends where the marks begin."""

NARROW, SMALL, WIDE = frozenset("fijlrtI.,:;'|!()[]{}/\\ -"), frozenset("abcdeghknopqsuvxyz_"), 13.0
"""Letters up to 5.5 and up to 7.6 wide in the font of the page, and the width of the widest."""


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
        labels.append(Shape(LABELS - 8, y + 11, kind="end", text=_label(name)))
        labels.append(Shape(LABELS + value * scale + 6, y + 11, text=f"{value:.3f}"))
    return Chart(len(values) * ROW + 8, tuple(marks), tuple(labels))


def _label(name: str) -> Shown:
    """Return a name without its middle if it may be too wide; files differ at their end."""
    if sum(map(_width, name)) <= ROOM:
        return visible(name)
    room = ROOM - _width("-") * 3
    head = _fitting(name, room / 3)
    tail = _fitting(name[::-1], room - sum(map(_width, head)))[::-1]
    return Shown("{}...{}").format(head, tail)


def _fitting(text: str, room: float) -> str:
    """Return the longest beginning of a text that has room."""
    widths = accumulate(map(_width, text))
    return text[: sum(width <= room for width in widths)]


def _width(char: str) -> float:
    """Return the width of a character, as it is shown."""
    return sum(
        5.5 if one in NARROW else 7.6 if one in SMALL or one.isdigit() else WIDE
        for one in visible(char)
    )


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
