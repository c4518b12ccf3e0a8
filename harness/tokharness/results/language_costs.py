"""What languages cost a target, from its measures: the median, and the most expensive languages.

The *premium* of a language is the ratio of its tokens to the tokens of English for the same text
(Petrov et al. 2023, "Language Model Tokenizers Introduce Unfairness Between Languages"). A parallel
text gives it with two decimals. Names of CLDR only estimate it, as a band
(``engine.measures.languages``).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.costs.language_bands import BANDS, band_for
from tokharness.engine.measures.languages import band_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "BANDS",
    "CAVEAT",
    "LanguageCost",
    "LanguageCosts",
    "band_of",
    "costs_by_names",
    "costs_in_parallel_text",
    "language_costs",
]

CAVEAT = (
    "Costs by names of CLDR are estimates, in bands: for the cost of running text, use --parallel."
)
"""The sentence that every format shows next to costs by names."""

WORST = 5


@dataclass(frozen=True, slots=True)
class LanguageCost:
    """The cost of a language in times the tokens of English.

    ``shown`` has the precision of the data: "4.26 times" or the band "up to 5 times".
    """

    code: str
    name: str
    times: float
    shown: str


@dataclass(frozen=True, slots=True)
class LanguageCosts:
    """The costs of all languages except English, the highest first.

    ``source`` is the name of a parallel text, or None for names of CLDR. ``not_measured`` counts
    languages whose text was not encoded, or was lost.
    """

    source: str | None
    languages: tuple[LanguageCost, ...]
    not_measured: int

    @property
    def is_estimate(self) -> bool:
        """Whether the costs are bands, to be shown with :data:`CAVEAT`."""
        return self.source is None

    @property
    def worst(self) -> tuple[LanguageCost, ...]:
        """The five most expensive languages."""
        return self.languages[:WORST]

    @property
    def median(self) -> float:
        """The median of the costs."""
        return median(one.times for one in self.languages)

    @property
    def shown_median(self) -> str:
        """The median in the precision of the data: "2.13 times" or the band "up to 3 times"."""
        return _band(self.median) if self.is_estimate else _times(self.median)


def language_costs(measures: Mapping[str, Any]) -> LanguageCosts | None:
    """Return the costs in the parallel text, or else by names; None if neither was measured."""
    parallel = costs_in_parallel_text(measures.get("parallel"))
    return parallel or costs_by_names(measures.get("languages"))


def costs_in_parallel_text(measure: Mapping[str, Any] | None) -> LanguageCosts | None:
    """Return the costs of the measure ``parallel``; None without it, or without a language."""
    rows = measure["languages"][1:] if measure else ()
    costs = [
        LanguageCost(row["code"], row["name"], row["premium"], _times(row["premium"]))
        for row in rows
        if row["premium"] is not None
    ]
    return _sorted(measure["source"] if measure else None, costs, len(rows))


def costs_by_names(rows: Sequence[Mapping[str, Any]] | None) -> LanguageCosts | None:
    """Return the costs of the measure ``languages``; None without it, or without a language."""
    others = [row for row in rows or () if row["code"] != "en"]
    return _sorted(None, list(_estimates(others)), len(others))


def _estimates(rows: Sequence[Mapping[str, Any]]) -> Iterator[LanguageCost]:
    for row in rows:
        if band_of(row) is not None:
            times = row["tokens"] / row["english_tokens"]
            yield LanguageCost(row["code"], row["name"], times, _band(times))


def _sorted(source: str | None, costs: list[LanguageCost], count: int) -> LanguageCosts | None:
    ordered = sorted(costs, key=lambda one: (-one.times, one.code))
    return LanguageCosts(source, tuple(ordered), count - len(costs)) if costs else None


def _band(times: float) -> str:
    return f"{band_for(times)} times"


def _times(times: float) -> str:
    return f"{times:.2f} times"
