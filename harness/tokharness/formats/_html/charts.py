"""Charts as shapes with coordinates, which the templates render as SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.engine.measures.coverage import MAX_TESTED
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
