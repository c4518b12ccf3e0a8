"""What a comparison tells, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["LOSSY", "Better", "Comparison", "Row", "Value", "format_value"]

LOSSY = "lossy"
"""Said where a text does not come back: what it costs then says nothing."""

Value: TypeAlias = float | str | None
Better: TypeAlias = Literal["lower", "higher", ""]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a comparison: a value a target.

    It is None where it could not be told, and "lossy" where a text that it is of is lost.
    """

    group: str
    name: str
    unit: str
    values: tuple[Value, ...]
    better: Better = ""

    @property
    def best(self) -> frozenset[int]:
        """Places of the best values, none where all are the same or none is better."""
        numbers = {at: v for at, v in enumerate(self.values) if isinstance(v, float)}
        if not self.better or len(set(numbers.values())) < 2:
            return frozenset()
        best = (min if self.better == "lower" else max)(numbers.values())
        return frozenset(at for at, value in numbers.items() if value == best)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several targets and the rows in which they differ; ``width`` is that of an embedding."""

    specs: tuple[str, ...]
    embedding_width: int
    rows: tuple[Row, ...]


def format_value(value: Value) -> str:
    """Say one value: a text or a count as it is, what is measured with some three digits."""
    if value is None:
        return "not told"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
