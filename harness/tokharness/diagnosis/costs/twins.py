"""Tokens of the cases of families, and of their twins."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokharness.model import Case
    from tokharness.targets.subject import Subject

__all__ = ["CaseCost", "FamilyCost", "count_tokens", "family_costs", "is_of_like_length"]

MOST_CASES = 2_000
"""Cases of a family that are compared, sampled evenly from those with a twin."""

MOST_CHARACTERS = 2_000
"""Length of the longest case that is compared."""

FIRST_CASES, MOST_READ = 2_000, 20_000
"""A family without a twin among its first cases has none; only so many of its cases are read."""


MOST_LONGER = 4
"""Characters of a case for each of its twin, at most, for it to be the worst of a family."""


@dataclass(frozen=True, slots=True)
class CaseCost:
    """A case and how many tokens it and its twin have."""

    case: Case
    tokens: int
    twin_tokens: int

    @property
    def ratio(self) -> float:
        """Tokens of the case for each token of its twin."""
        return self.tokens / self.twin_tokens


@dataclass(frozen=True, slots=True)
class FamilyCost:
    """The cases of a family that could be compared; there is at least one."""

    family: str
    costs: tuple[CaseCost, ...]

    @property
    def median(self) -> float:
        """The median ratio."""
        return median(cost.ratio for cost in self.costs)

    @property
    def worst(self) -> CaseCost:
        """The shortest case of the largest ratio, of those of about the length of their twins."""
        like = [one for one in self.costs if is_of_like_length(one.case.text, one.case.twin)]
        cases = like or self.costs
        return min(cases, key=lambda one: (-one.ratio, len(one.case.text), one.case.text))

    def record(self) -> dict[str, Any]:
        """Return a row of a table as plain data."""
        worst = self.worst
        return {
            "family": self.family,
            "cases": len(self.costs),
            "median": round(self.median, 2),
            "worst": round(worst.ratio, 2),
            "worst text": worst.case.text,
            "its twin": worst.case.twin,
        }


def is_of_like_length(text: str, twin: str | None) -> bool:
    """Whether a text is so short that its length alone does not explain what it costs.

    A thousand marks on a letter cost thousands of tokens in any tokenizer.
    """
    return len(text) <= MOST_LONGER * len(twin or "")


def family_costs(subject: Subject) -> list[FamilyCost]:
    """Compare the cases of each family with their twins; families without twins are left out."""
    rows = (
        FamilyCost(name, _case_costs(_cases_with_twin(cases), subject))
        for name, cases in subject.chosen_cases()
    )
    return [row for row in rows if row.costs]


def count_tokens(texts: list[str], subject: Subject) -> list[int | None]:
    """Count the tokens of each text, without the ids that every text gets; None if it raises."""
    return [
        None if isinstance(ids, Raised) else len(without_affixes(ids, subject))
        for ids in encode_all(texts, subject)
    ]


def _cases_with_twin(cases: Callable[[], Iterable[Case]]) -> list[Case]:
    """Cases with a twin, sampled evenly from the family."""
    unread = iter(cases())
    paired = [case for case in islice(unread, FIRST_CASES) if case.twin]
    if paired:
        paired += [case for case in islice(unread, MOST_READ - FIRST_CASES) if case.twin]
    short = [
        case
        for case in paired
        if len(case.text) <= MOST_CHARACTERS and is_scalar(case.text + (case.twin or ""))
    ]
    return short[:: -(-len(short) // MOST_CASES) or 1]


def _case_costs(cases: list[Case], subject: Subject) -> tuple[CaseCost, ...]:
    """Count the tokens of each case and of its twin, if both have some."""
    ours = count_tokens([case.text for case in cases], subject)
    theirs = count_tokens([case.twin or "" for case in cases], subject)
    rows = zip(cases, ours, theirs, strict=True)
    return tuple(
        CaseCost(case, own or 0, twin) for case, own, twin in rows if twin and own is not None
    )
