"""Targets side by side: what each costs, and what it keeps whole, from what was measured of them.

A tokenizer is measured by the tokens that it needs for what says the same. A language's *fertility*
is counted in tokens a word of the English text that says the same, which does not depend on whether
the language writes spaces (Petrov et al. 2023, "Language Model Tokenizers Introduce Unfairness
Between Languages").
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.results.comparison.model import Comparison, Row, format_value
from tokharness.results.comparison.rows import SPOKEN, rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "MEASURED",
    "SPOKEN",
    "Comparison",
    "Row",
    "comparison",
    "comparison_record",
    "format_value",
]

MEASURED = ("code", "languages", "numbers", "prose", "vocabulary")
"""Names of the measures that a comparison is made of."""


def comparison(targets: Mapping[str, Mapping[str, Any]], width: int) -> Comparison:
    """Compare targets by what was measured of them; an embedding has ``width`` numbers a token."""
    return Comparison(tuple(targets), width, tuple(rows_of(list(targets.values()), width)))


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Comparison as plain data: ``targets``, ``width``, and ``rows`` with a value a target."""
    return {**asdict(comparison), "specs": list(comparison.specs)}
