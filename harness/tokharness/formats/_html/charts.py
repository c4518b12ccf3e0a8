"""Charts as shapes with coordinates, which the templates render as SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from tokharness.engine.measures.coverage import MAX_TESTED
from tokharness.escaping import Shown, visible
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = [
    "LABELS",
    "MAX_TESTED",
    "ROW",
    "WIDTH",
    "Chart",
    "Shape",
    "growth_curves",
    "log_scale",
    "powers_of_ten",
    "token_lengths",
    "unicode_blocks",
]

WIDTH, LABELS, ROW = 720, 190, 18


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape: its position and size, its CSS class, and its text or tooltip."""

    x: float
    y: float
    width: float = 0
    height: float = 0
    kind: str = ""
    text: str = ""
    points: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its size, marks, labels, and the ticks of its axes."""

    height: float
    marks: tuple[Shape, ...]
    labels: tuple[Shape, ...] = ()
    ticks: tuple[Shape, ...] = ()
    width: float = WIDTH


def token_lengths(counts: Mapping[str, int]) -> Chart:
    """Draw bars for numbers of tokens by length in bytes; the last bar has the longest tokens."""
    longest = 32
    bars: dict[int, int] = {}
    for length, count in counts.items():
        size = min(int(length), longest)
        bars[size] = bars.get(size, 0) + count
    high, height, left = max(bars.values(), default=1), 160, 60
    step = (WIDTH - left) / longest
    marks = []
    labels = [
        Shape(left + (size - 0.5) * step, height + 26, kind="middle", text=str(size))
        for size in (1, *range(4, longest, 4))
    ]
    last = left + (longest - 0.5) * step
    labels.append(Shape(last, height + 26, kind="middle", text=f"{longest}+"))
    for size, count in sorted(bars.items()):
        tall = max(height * count / high, 1)
        length = f"{size} or more bytes" if size == longest else pluralize(size, "byte")
        text = f"{length}: {pluralize(count, 'token')}"
        marks.append(
            Shape(left + (size - 1) * step, 10 + height - tall, step - 3, tall, "bar", text)
        )
    ticks = tuple(
        Shape(left, 10 + height * (1 - share), WIDTH - left, text=f"{round(high * share):,}")
        for share in (0, 0.5, 1)
    )
    return Chart(height + 34, tuple(marks), tuple(labels), ticks)


def unicode_blocks(
    rows: Sequence[Mapping[str, Any]], *, columns: int = 24, size: int = 30
) -> Chart:
    """Draw a square for each Unicode block: tokens per character, and failures."""
    marks = []
    gap, stroke = size / 10, size / 10
    for index, row in enumerate(rows):
        x, y = index % columns * size, index // columns * size
        ratio = row["tokens"] / max(row["encoded"], 1)
        failing = row["lost"] + row["raised"]
        kind = "fails" if failing else f"cost{min(max(round(ratio), 1), 5)}"
        text = f"{row['block']}: {ratio:.1f} tokens per character"
        text += f", {failing} of {row['tested']} fail the round trip" if failing else ""
        inset = stroke / 2 if failing else 0  # half of the stroke is outside of the square
        side = size - gap - 2 * inset
        marks.append(Shape(x + inset, y + inset, side, side, kind, text))
    height = (len(rows) + columns - 1) // columns * size
    return Chart(height, tuple(marks), width=columns * size)


def growth_curves(rows: Sequence[Mapping[str, Any]]) -> Chart:
    """Draw a line for each unit: seconds by characters, on log scales."""
    height, left = 300, 70
    sizes = [size for row in rows for size in row["sizes"]] or [1]
    seconds = [value for row in rows for value in row["seconds"]] or [1]
    x = log_scale(sizes, left, WIDTH - 250)
    y = log_scale(seconds, 0, height - 40)
    marks, labels = [], []
    for index, row in enumerate(rows):
        kind = f"curve{index % 8}"
        points = " ".join(
            f"{x(size):.1f},{height - 30 - y(time):.1f}"
            for size, time in zip(row["sizes"], row["seconds"], strict=True)
        )
        if points:
            marks.append(Shape(0, 0, kind=kind, text=row["unit"], points=points))
            labels.append(Shape(WIDTH - 236, 22 + index * ROW, kind=kind, text=row["unit"]))
    ticks = [
        Shape(x(size), 6, 0, height - 36, "axis", f"{size:,.0f}") for size in powers_of_ten(sizes)
    ]
    ticks += [
        Shape(left, height - 30 - y(time), WIDTH - 250 - left, 0, "level", f"{time:g} s")
        for time in powers_of_ten(seconds)
    ]
    return Chart(height, tuple(marks), tuple(labels), tuple(ticks))


def log_scale(values: Iterable[float], start: float, end: float) -> Callable[[float], float]:
    """Return a function from a value to its coordinate, by the logarithm."""
    positive = [value for value in values if value > 0] or [1.0]
    low, high = math.log(min(positive)), math.log(max(positive))
    span = (high - low) or 1.0
    return lambda value: start + (end - start) * (math.log(max(value, 1e-12)) - low) / span


def powers_of_ten(values: Iterable[float]) -> list[float]:
    """Return the powers of ten between the smallest and the largest value."""
    positive = [value for value in values if value > 0] or [1.0]
    first, last = math.ceil(math.log10(min(positive))), math.floor(math.log10(max(positive)))
    return [10.0**power for power in range(first, last + 1)]


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
