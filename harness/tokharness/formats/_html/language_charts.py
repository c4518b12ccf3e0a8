"""Charts of the costs of languages: in bands from names of CLDR, exact from a parallel text."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from tokharness.formats._html.charts import LABELS, ROW, WIDTH, Chart, Shape, log_scale
from tokharness.results.comparison import COMMON_LANGUAGES
from tokharness.results.language_costs import (
    BANDS,
    band_of,
    costs_by_names,
    costs_in_parallel_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Row = Mapping[str, Any]

MAX_BARS = 30
DOT = 10
"""Size of the place of a dot."""
MAX_LABEL = 27
"""Most characters of a label, which ends where the marks begin."""
COLUMN = (WIDTH - LABELS - 10) / len(BANDS)
TOP = 26
TICKS = (0.5, 1, 2, 5, 10, 20, 50)


def widely_spoken(rows: Sequence[Row]) -> Chart:
    """Draw a bar for each widely spoken language, as long as its band is high."""
    costs = costs_by_names(rows)
    by_code = {row["code"]: row for row in rows if row["code"] in COMMON_LANGUAGES}
    ordered = [by_code[one.code] for one in costs.languages if one.code in by_code] if costs else []
    marks, labels = [], []
    # Languages of a band are equal, as far as the names show.
    for index, row in enumerate(sorted(ordered, key=lambda row: (-_level(row), row["name"]))):
        y, level = TOP + index * ROW, _level(row)
        text = f"{row['name']}: {band_of(row)} times the tokens of English"
        marks.append(Shape(LABELS, y, (level + 1) * COLUMN, ROW - 5, f"cost{level + 1}", text))
        labels.append(Shape(LABELS - 8, y + 11, kind="end", text=row["name"]))
    height = TOP + len(ordered) * ROW
    return Chart(height + 4, tuple(marks), tuple(labels), _band_ticks(height))


def scripts_in_bands(rows: Sequence[Row]) -> Chart:
    """Draw a dot for each language: a row for each script, a column for each band."""
    scripts: dict[str, list[Row]] = {}
    for row in rows:
        if band_of(row) is not None:
            scripts.setdefault(row["script"], []).append(row)
    marks, labels = [], []
    y = float(TOP)
    per_line = int((COLUMN - DOT) // DOT)
    for script, members in sorted(scripts.items(), key=lambda item: (_mean_level(item[1]), item)):
        filled = [0] * len(BANDS)
        for row in members:
            level = _level(row)
            line, place = divmod(filled[level], per_line)
            filled[level] += 1
            x = LABELS + level * COLUMN + DOT + place * DOT
            text = f"{row['name']}: {band_of(row)} times the tokens of English"
            marks.append(Shape(x, y + DOT / 2 + line * DOT, 4, kind="dot", text=text))
        name = f"{script.replace('_', ' ')} ({len(members)})"
        labels.append(Shape(LABELS - 8, y + 9, kind="end", text=name))
        y += max(ROW, -(-max(filled) // per_line) * DOT + 6)
    return Chart(y, tuple(marks), tuple(labels), _band_ticks(y))


def most_expensive(measure: Row) -> Chart:
    """Draw bars for the premiums of a parallel text, the highest first."""
    costs = costs_in_parallel_text(measure)
    bars = costs.languages[:MAX_BARS] if costs else ()
    scale = (WIDTH - LABELS - 50) / max((1.0, *(one.times for one in bars)))
    marks, labels = [], []
    for index, one in enumerate(bars):
        y = index * ROW + 4
        text = f"{one.name}: {one.shown} the tokens of English"
        marks.append(Shape(LABELS, y, one.times * scale, ROW - 5, "bar", text))
        labels.append(Shape(LABELS - 8, y + 11, kind="end", text=_short(one.name)))
        labels.append(Shape(LABELS + one.times * scale + 6, y + 11, text=f"{one.times:.2f}"))
    english = Shape(LABELS + scale, 0, 0, len(bars) * ROW + 4, "line", "English")
    return Chart(len(bars) * ROW + 8, (*marks, english), tuple(labels))


def premiums_by_script(measure: Row) -> Chart:
    """Draw a dot for each language of a parallel text, by script, on a log scale."""
    scripts: dict[str, list[Row]] = {}
    for row in measure["languages"]:
        if row["premium"]:
            scripts.setdefault(row["script"], []).append(row)
    ordered = sorted(scripts.items(), key=lambda item: median(row["premium"] for row in item[1]))
    values = [row["premium"] for members in scripts.values() for row in members] or [1.0]
    x = log_scale(values, LABELS + 10, WIDTH - 20)
    marks, labels = [], []
    for index, (script, members) in enumerate(ordered):
        y = TOP + index * ROW
        name = f"{script.replace('_', ' ')} ({len(members)})"
        labels.append(Shape(LABELS - 8, y + 4, kind="end", text=name))
        for row in members:
            text = f"{row['name']}: {row['premium']:.2f} times the tokens of English"
            marks.append(Shape(x(row["premium"]), y, 4, kind="dot", text=text))
    height = TOP + len(ordered) * ROW
    ticks = tuple(
        Shape(x(value), 14, 0, height - 14, "axis", f"{value:g}")
        for value in TICKS
        if min(values) <= value <= max(values)
    )
    return Chart(height, tuple(marks), tuple(labels), ticks)


def _short(name: str) -> str:
    return name if len(name) <= MAX_LABEL else f"{name[: MAX_LABEL - 3]}..."


def _level(row: Row) -> int:
    band = band_of(row)
    return 0 if band is None else BANDS.index(band)


def _mean_level(rows: Sequence[Row]) -> float:
    return sum(map(_level, rows)) / len(rows)


def _band_ticks(height: float) -> tuple[Shape, ...]:
    """Return a line in the middle of each column, with the band above it."""
    return tuple(
        Shape(LABELS + (level + 0.5) * COLUMN, 14, 0, height - 14, "axis", band)
        for level, band in enumerate(BANDS)
    )
