"""Charts as shapes with coordinates, which the templates draw as SVG, each with its table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from tokharness.engine.measures.coverage import TRIED
from tokharness.formats._html.tables import languages
from tokharness.results.comparison import SPOKEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["TRIED", "Chart", "Shape", "blocks", "curves", "lengths", "spoken", "tax"]

WIDTH, LABELS, ROW = 720, 190, 18


@dataclass(frozen=True, slots=True)
class Shape:
    """A mark: where it is, how large, which class of colour, and what it says."""

    x: float
    y: float
    width: float = 0
    height: float = 0
    kind: str = ""
    text: str = ""
    points: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of so many units: marks, labels, and ticks of the axes with what they say."""

    height: float
    marks: tuple[Shape, ...]
    labels: tuple[Shape, ...] = ()
    ticks: tuple[Shape, ...] = ()
    width: float = WIDTH


def lengths(counts: Mapping[str, int]) -> Chart:
    """Bars: how many tokens have so many bytes; the longest together."""
    most = 32
    rows: dict[int, int] = {}
    for told, count in counts.items():
        size = min(int(told), most)
        rows[size] = rows.get(size, 0) + count
    high, height, left = max(rows.values(), default=1), 160, 60
    step = (WIDTH - left) / most
    marks = []
    labels = [
        Shape(left + (size - 0.5) * step, height + 26, kind="middle", text=str(size))
        for size in (1, *range(4, most, 4))
    ]
    labels.append(Shape(left + (most - 0.5) * step, height + 26, kind="middle", text=f"{most}+"))
    for size, count in sorted(rows.items()):
        tall = max(height * count / high, 1)
        told = f"{size}{' or more' if size == most else ''} bytes: {count:,} tokens"
        marks.append(
            Shape(left + (size - 1) * step, 10 + height - tall, step - 3, tall, "bar", told)
        )
    ticks = tuple(
        Shape(left, 10 + height * (1 - share), WIDTH - left, text=f"{round(high * share):,}")
        for share in (0, 0.5, 1)
    )
    return Chart(height + 34, tuple(marks), tuple(labels), ticks)


def spoken(rows: Sequence[Mapping[str, Any]]) -> Chart:
    """Bars: the tax of languages that many speak."""
    known = [(tax, row) for tax, row in languages(rows) if row["code"] in SPOKEN]
    high = max((tax for tax, _ in known), default=1.0)
    scale = (WIDTH - LABELS - 50) / high
    marks, labels = [], []
    for at, (tax, row) in enumerate(known):
        y = at * ROW + 4
        told = f"{row['name']}: {tax:.2f} times the tokens of English"
        marks.append(Shape(LABELS, y, tax * scale, ROW - 5, "bar", told))
        labels.append(Shape(LABELS - 8, y + 11, kind="end", text=row["name"]))
        labels.append(Shape(LABELS + tax * scale + 6, y + 11, text=f"{tax:.2f}"))
    one = Shape(LABELS + scale, 0, 0, len(known) * ROW + 4, "line", "as English")
    return Chart(len(known) * ROW + 8, (*marks, one), tuple(labels))


def tax(rows: Sequence[Mapping[str, Any]]) -> Chart:
    """A dot a language, a line a script: how many times the tokens of English it takes (log)."""
    scripts: dict[str, list[tuple[float, Mapping[str, Any]]]] = {}
    for value, row in languages(rows):
        scripts.setdefault(row["script"], []).append((value, row))
    ordered = sorted(scripts.items(), key=lambda item: median(v for v, _ in item[1]))
    values = [value for some in scripts.values() for value, _ in some] or [1.0]
    x = _log_scale(values, LABELS + 10, WIDTH - 20)
    marks, labels = [], []
    for at, (script, some) in enumerate(ordered):
        y = 26 + at * ROW
        labels.append(
            Shape(LABELS - 8, y + 4, kind="end", text=f"{script.replace('_', ' ')} ({len(some)})")
        )
        for value, row in some:
            told = f"{row['name']}: {value:.2f} times the tokens of English"
            marks.append(Shape(x(value), y, 4, kind="dot", text=told))
    height = 26 + len(ordered) * ROW
    ticks = tuple(
        Shape(x(one), 14, 0, height - 14, "axis", f"{one:g}")
        for one in (0.5, 1, 2, 5, 10, 20, 50)
        if min(values) <= one <= max(values)
    )
    return Chart(height, tuple(marks), tuple(labels), ticks)


def blocks(rows: Sequence[Mapping[str, Any]]) -> Chart:
    """A square a block of Unicode, in order: how many tokens a character takes, what fails."""
    across, size = 24, 30
    marks = []
    for at, row in enumerate(rows):
        x, y = at % across * size, at // across * size
        each = row["tokens"] / max(row["encoded"], 1)
        failing = row["lost"] + row["raised"]
        kind = "fails" if failing else f"cost{min(max(round(each), 1), 5)}"
        told = f"{row['block']}: {each:.1f} tokens a character"
        told += f", {failing} of {row['tested']} do not come back" if failing else ""
        inset = 1.5 if failing else 0  # of a frame, half of which is outside
        marks.append(
            Shape(x + inset, y + inset, size - 3 - 2 * inset, size - 3 - 2 * inset, kind, told)
        )
    return Chart((len(rows) + across - 1) // across * size, tuple(marks))


def curves(rows: Sequence[Mapping[str, Any]]) -> Chart:
    """A line a unit: seconds over characters, both by powers of ten."""
    height, left = 300, 70
    sizes = [size for row in rows for size in row["sizes"]] or [1]
    seconds = [one for row in rows for one in row["seconds"]] or [1]
    x = _log_scale(sizes, left, WIDTH - 250)
    up = _log_scale(seconds, 0, height - 40)
    marks, labels = [], []
    for at, row in enumerate(rows):
        places = [
            (x(a), height - 30 - up(b)) for a, b in zip(row["sizes"], row["seconds"], strict=True)
        ]
        if places:
            line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
            marks.append(Shape(0, 0, kind=f"curve{at % 8}", text=row["unit"], points=line))
            labels.append(
                Shape(WIDTH - 236, 22 + at * ROW, kind=f"curve{at % 8}", text=row["unit"])
            )
    ticks = [Shape(x(one), 6, 0, height - 36, "axis", _short(one)) for one in _powers(sizes)]
    ticks += [
        Shape(left, height - 30 - up(one), WIDTH - 250 - left, 0, "level", f"{one:g} s")
        for one in _powers(seconds)
    ]
    return Chart(height, tuple(marks), tuple(labels), tuple(ticks))


def _log_scale(values: Iterable[float], start: float, end: float) -> Any:
    """Function from a value to its place, by the logarithm."""
    some = [value for value in values if value > 0] or [1.0]
    low, high = math.log(min(some)), math.log(max(some))
    span = (high - low) or 1.0
    return lambda value: start + (end - start) * (math.log(max(value, 1e-12)) - low) / span


def _powers(values: Iterable[float]) -> list[float]:
    some = [value for value in values if value > 0] or [1.0]
    first, last = math.ceil(math.log10(min(some))), math.floor(math.log10(max(some)))
    return [10.0**power for power in range(first, last + 1)]


def _short(value: float) -> str:
    return f"{value:,.0f}"
