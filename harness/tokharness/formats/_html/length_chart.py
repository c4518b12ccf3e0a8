"""The chart of vocabulary against sequence length.

Both axes are logarithmic. Labels stand in a column on the right, in the order of their points, and
a line leads from each point to its label: labels never overlap, even if points do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, shorten, truncate
from tokharness.formats._comparison_table import short_names
from tokharness.formats._html.charts import Chart, Shape, log_scale, powers_of_ten
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.results.comparison import Length, Lengths

WIDTH, LEFT, RIGHT, TOP = 760, 60, 376, 10
LABEL_AT, ROW, HEAD, SMALLEST = 406, 17, 28, 270
UNIT, DOT = 4.5, 5.0
MAX_NAME, MAX_ALGORITHM = 22, 26

LEVELS = (5, 10, 20, 50, 100, 200, 500)
"""Tokens per 100 characters that have a line."""


@dataclass(frozen=True, slots=True)
class _Point:
    """A point of the chart, and its label."""

    row: Lengths
    length: Length
    x: float
    y: float
    label: str


def length_chart(lengths: Sequence[Lengths], group: str) -> Chart | None:
    """Draw the length of a group of texts for each size of a vocabulary; None without points."""
    found = [
        (row, length)
        for row in lengths
        if (row.vocabulary or 0) > 0 and (length := row.of(group)).tokens_per_100_characters
    ]
    if not found:
        return None
    sizes = [row.vocabulary or 1 for row, _ in found]
    values = [length.tokens_per_100_characters or 1 for _, length in found]
    height = max(SMALLEST, len(found) * ROW)
    x, up = log_scale(sizes, LEFT + 16, RIGHT - 8), log_scale(values, 12, height - 12)
    bottom = TOP + HEAD + height
    names = short_names(row.name for row in lengths if not row.is_unit)
    points = [
        _Point(row, length, x(size), bottom - up(value), _label(row, names.get(row.name), length))
        for (row, length), size, value in zip(found, sizes, values, strict=True)
    ]
    points.sort(key=lambda point: (point.y, point.x))
    levels = spread([point.y for point in points], ROW, TOP + 14, bottom)
    leaders = [_leader(point, level) for point, level in zip(points, levels, strict=True)]
    labels = [
        Shape(LABEL_AT, level + 4, text=point.label, kind="lost" if _is_lost(point) else "")
        for point, level in zip(points, levels, strict=True)
    ]
    ticks = [
        Shape(x(size), TOP, 0, bottom - TOP, "axis", f"{size:,.0f}")
        for size in powers_of_ten(sizes)
    ]
    ticks += [
        Shape(LEFT, bottom - up(level), RIGHT - LEFT, 0, "level", str(level))
        for level in LEVELS
        if min(values) <= level <= max(values)
    ]
    titles = (
        Shape(LEFT, TOP + 8, text="tokens per 100 characters"),
        Shape((LEFT + RIGHT) / 2, bottom + 34, kind="middle", text="size of the vocabulary"),
    )
    marks = (*leaders, *map(_mark, points))
    return Chart(bottom + 42, marks, (*titles, *labels), tuple(ticks), WIDTH)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move ascending positions, so that neighbours are at least ``gap`` apart.

    The sum of the squares of the moves is the least possible: after the gaps before each position
    are subtracted, this is isotonic regression, by pooling adjacent violators (Ayer et al. 1955).
    All positions are at least ``low``, and at most ``high`` if there is room.
    """
    pools: list[tuple[float, int]] = []  # the mean of neighbours, and their number
    for at, position in enumerate(wanted):
        mean, count = position - at * gap, 1
        while pools and pools[-1][0] > mean:
            other, others = pools.pop()
            mean, count = (other * others + mean * count) / (others + count), others + count
        pools.append((mean, count))
    means = [mean for mean, count in pools for _ in range(count)]
    last = max(high - (len(means) - 1) * gap, low)
    return [min(max(mean, low), last) + at * gap for at, mean in enumerate(means)]


def describe_point(row: Lengths, length: Length) -> str:
    """Describe a point in words."""
    size = "unknown" if row.vocabulary is None else f"{row.vocabulary:,}"
    text = f"{row.name}: vocabulary {size}"
    if length.tokens_per_100_characters is not None:
        text += f", {length.tokens_per_100_characters:.1f} tokens per 100 characters"
    return f"{text}{loss(length)}"


def loss(length: Length) -> str:
    """Describe what is lost; "" if nothing is lost."""
    lost = length.lossy + length.not_encoded
    texts = f", loses text in {lost:,} of {pluralize(length.texts, 'text')}" if lost else ""
    unknown = f", {pluralize(length.unknown, 'unknown token')}" if length.unknown else ""
    return texts + unknown


def _label(row: Lengths, name: str | None, length: Length) -> str:
    value = f"{length.tokens_per_100_characters:.1f}"
    algorithm = Shown(" ({})").format(row.algorithm) if row.algorithm else Shown("")
    lost = ", lossy" if length.loses_text else ""
    shown = shorten(name or row.name, MAX_NAME)
    return Shown("{}  {}{}{}").format(value, shown, truncate(algorithm, MAX_ALGORITHM), lost)


def _is_lost(point: _Point) -> bool:
    return point.length.loses_text


def _leader(point: _Point, level: float) -> Shape:
    line = f"{point.x:.1f},{point.y:.1f} {RIGHT:.1f},{level:.1f} {LABEL_AT - 6:.1f},{level:.1f}"
    return Shape(0, 0, kind="leader", points=line, text=describe_point(point.row, point.length))


def _mark(point: _Point) -> Shape:
    text = describe_point(point.row, point.length)
    if point.row.is_unit:
        side = 2 * UNIT
        return Shape(point.x - UNIT, point.y - UNIT, side, side, "unit", text)
    kind = "lost" if _is_lost(point) else "dot"
    return Shape(point.x, point.y, DOT, kind=kind, text=text)
