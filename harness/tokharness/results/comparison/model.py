"""A comparison of targets as frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from tokharness.results.comparison.lengths import Lengths

LOSSY = "lossy"
"""Value of a text that does not round-trip, whose cost is meaningless."""

Value: TypeAlias = float | str | None
Better: TypeAlias = Literal["lower", "higher", ""]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a comparison, with a value for each target.

    A value is None if it is unknown, and ends with "lossy" if a text does not round-trip.
    """

    group: str
    name: str
    unit: str
    values: tuple[Value, ...]
    better: Better = ""

    @property
    def best(self) -> frozenset[int]:
        """Indices of the best values; none if all are equal or neither direction is better."""
        numbers = {at: v for at, v in enumerate(self.values) if isinstance(v, float)}
        if not self.better or len(set(numbers.values())) < 2:
            return frozenset()
        best = (min if self.better == "lower" else max)(numbers.values())
        return frozenset(at for at, value in numbers.items() if value == best)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Specs of targets, rows with a value for each, lengths of targets and units, and notes."""

    specs: tuple[str, ...]
    embedding_width: int
    rows: tuple[Row, ...]
    lengths: tuple[Lengths, ...] = ()
    notes: tuple[str, ...] = ()


def format_value(value: Value) -> str:
    """Format a value: strings and counts in full, measurements with about three digits."""
    if value is None:
        return "unknown"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
