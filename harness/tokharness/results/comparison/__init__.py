"""Comparison of targets by their metrics: what text costs, and what is lost.

Tokenizers are compared by the tokens that they need for texts of the same meaning: for a language,
relative to English (:mod:`tokharness.results.language_costs`), and for all languages, per word of
the English texts (*fertility*), which does not depend on whether a language writes spaces.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.results.comparison.lengths import (
    Comparison,
    Length,
    Lengths,
    Row,
    format_value,
    lengths_of,
)
from tokharness.results.comparison.rows import (
    COMMON_LANGUAGES,
    losses,
    notes_of,
    parallel_rows,
    rows_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "COMMON_LANGUAGES",
    "MEASURES",
    "Comparison",
    "Length",
    "Lengths",
    "Row",
    "comparison",
    "comparison_record",
    "format_value",
]

MEASURES = ("code", "languages", "numbers", "prose", "sequences", "vocabulary")
"""Names of the measures that a comparison uses."""


def comparison(targets: Mapping[str, Mapping[str, Any]], embedding_width: int) -> Comparison:
    """Compare targets by their measures, given by spec."""
    measures = list(targets.values())
    rows = (*rows_of(measures, embedding_width), *parallel_rows(measures))
    notes = (*losses(targets), *notes_of(measures))
    return Comparison(tuple(targets), embedding_width, rows, lengths_of(targets), notes)


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain data; ``values`` of a row are in the order of ``specs``."""
    return {**asdict(comparison), "specs": list(comparison.specs)}
