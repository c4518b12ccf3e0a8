"""Texts that cost three or more times the tokens of the plain text they were made from.

Oracle: metamorphic, each case of a family against its twin: composed against decomposed, a
look-alike against the plain letter, invisible characters inserted against none. Ids that every
text gets, such as one for its start, are left out of both.

Why it matters: tokens are money, time and room in the context. Text that reads the same and costs
several times as much is a way to exhaust a budget or to push a system prompt out of the window, and
a limit in characters does not stop it. Languages whose letters are decomposed pay the same tax.

One *risk* a family, with the share of its cases at three times or more, and the worst; nothing
where none is. That twins have different ids is by design.

Example: accented letters written with combining marks::

    TOK303 risk  inflation: normal-forms   41% of 2,310 cases at 3 times or more, the worst 9.0
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_frame
from tokharness.diagnosis.probes.calls import encoded_each
from tokharness.diagnosis.probes.raising_stage import Raised
from tokharness.model import Case, Cause, Failure, Verdict
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK303"
NAME = "costs-more-than-twin"
REQUIRES = ("cases",)

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

INFLATED = 3
MOST_CASES = 2_000
"""Of a family, evenly over its cases with twins."""

MOST_CHARACTERS = 2_000
FIRST_CASES, MOST_LOOKED_AT = 2_000, 20_000
"""A family with no twin among its first cases has none; of a larger one the beginning is read."""


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare the number of tokens of each case with that of its twin."""
    for name, cases in sorted(subject.cases.items()):
        ratios = _ratios(_twins(cases), subject)
        inflated = {case: ratio for case, ratio in ratios.items() if ratio >= INFLATED}
        if inflated:
            worst = min(inflated, key=lambda case: (-inflated[case], len(case.text), case.text))
            share = len(inflated) / len(ratios)
            message = (
                f"{share:.1%} of {len(ratios):,} cases of {name} have {INFLATED} or more times the "
                f"tokens of their twin, the worst {inflated[worst]:.1f} times ({worst.why})"
            )
            cause = Cause("inflation", (("family", name),), Verdict.RISK, message)
            yield Failure(
                cause, count=len(inflated), text=worst.text, evidence={"twin": worst.twin}
            )


def _twins(cases: Callable[[], Iterable[Case]]) -> list[Case]:
    """Cases with a twin, evenly over the family."""
    every = iter(cases())
    found = [case for case in islice(every, FIRST_CASES) if case.twin]
    if found:
        found += [case for case in islice(every, MOST_LOOKED_AT - FIRST_CASES) if case.twin]
    short = [
        case
        for case in found
        if len(case.text) <= MOST_CHARACTERS and is_scalar(case.text + (case.twin or ""))
    ]
    return short[:: -(-len(short) // MOST_CASES) or 1]


def _ratios(cases: list[Case], subject: Subject) -> dict[Case, float]:
    """How many times the tokens of its twin each case has, where both have some."""
    texts = encoded_each([case.text for case in cases], subject)
    twins = encoded_each([case.twin or "" for case in cases], subject)
    ratios = {}
    for case, ids, twin_ids in zip(cases, texts, twins, strict=True):
        if isinstance(ids, Raised) or isinstance(twin_ids, Raised):
            continue
        plain = len(without_frame(twin_ids, subject))
        if plain:
            ratios[case] = len(without_frame(ids, subject)) / plain
    return ratios
