"""The rows of a comparison on a parallel text of the user, and the notes on costs of languages."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.results.comparison.model import LOSSY, Row, Value
from tokharness.results.language_costs import CAVEAT, costs_in_parallel_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["notes_of", "parallel_rows"]

Measures: TypeAlias = "Mapping[str, Any]"


def parallel_rows(measures: Sequence[Measures]) -> Iterator[Row]:
    """Yield the median, then a row for each language: those that cost a target most come first."""
    parallel = [one.get("parallel") for one in measures]
    source = next((one["source"] for one in parallel if one), None)
    if source is None:
        return
    group, unit = f"cost of languages in {source}", "times English"
    yield _medians(group, unit, parallel)
    columns = [{row["code"]: row for row in one["languages"]} if one else {} for one in parallel]
    names = {code: row["name"] for column in columns for code, row in column.items()}
    for code in sorted(names, key=lambda code: (-_highest(columns, code), code)):
        values = tuple(_value(column.get(code)) for column in columns)
        yield Row(group, names[code], unit, values, "lower")


def _medians(group: str, unit: str, parallel: Sequence[Measures | None]) -> Row:
    """Return the median of the languages that all targets encode, except those that lose half."""
    costs = [costs_in_parallel_text(one) for one in parallel]
    times = [{cost.code: cost.times for cost in one.languages} if one else {} for one in costs]
    most = max(map(len, times))
    codes = [set(one) for one in times if 2 * len(one) > most]
    common = set.intersection(*codes) if codes else set()

    def value(measure: Measures | None, of_target: Mapping[str, float]) -> Value:
        if common and common <= of_target.keys():
            return median(of_target[code] for code in common)
        return LOSSY if measure else None

    values = map(value, parallel, times)
    name = f"median of {len(common)} language{'' if len(common) == 1 else 's'}"
    return Row(group, name, unit, tuple(values), "lower")


def _highest(columns: Sequence[Mapping[str, Measures]], code: str) -> float:
    return max((column[code]["premium"] or 0.0 for column in columns if code in column), default=0)


def _value(row: Measures | None) -> Value:
    """Return the premium; None if a text was not encoded, LOSSY if it was lost."""
    if row is None or row["tokens"] is None:
        return None
    if row["premium"] is None:
        return LOSSY
    premium = float(row["premium"])
    return premium if row["lossless"] else f"{premium:.2f} {LOSSY}"


def notes_of(measures: Sequence[Measures]) -> Iterator[str]:
    """Yield a sentence on the parallel text, and the caveat of costs by names."""
    if any(one.get("languages") for one in measures):
        yield CAVEAT
    parallel = next((one["parallel"] for one in measures if one.get("parallel")), None)
    if parallel is not None:
        codes = ", ".join(row["code"] for row in parallel["left_out"])
        left_out = f"; left out: {codes}" if codes else ""
        lines = f"{parallel['lines']:,} line{'' if parallel['lines'] == 1 else 's'}"
        languages = f"{len(parallel['languages'])} languages"
        yield f"Parallel text {parallel['source']}: {lines} in {languages}{left_out}."
