"""Texts cost three or more times the tokens of the plain text that they were made from.

Why it matters: tokens are money, time and room in the context. Text that reads the same and costs
several times as much can exhaust a budget or push a system prompt out of the context, and a limit
in characters does not stop it. Languages whose letters are written decomposed pay the same price.

Oracle: metamorphic. Each case of a family is compared with its twin: composed with decomposed, a
look-alike with the plain letter, inserted invisible characters with none. Ids that every text gets,
such as a start token, are left out of both.

Verdicts: *risk*, one for each family that has such cases, with their share and the worst one. Twins
with different ids are by design and are not reported.

Example: accented letters written with combining marks::

    TOK303 risk  inflation: normal-forms   41% of 2,310 cases at 3 times or more, the worst 9.0

What to do: normalize text before encoding it (NFC for this example), and limit requests by tokens,
not by characters.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.model import Case, Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK303"
NAME = "costs-more-than-twin"
REQUIRES = ("cases",)

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

LEAST_RATIO = 3
"""Times the tokens of its twin that a case costs at least to be reported."""

MOST_CASES = 2_000
"""Cases of a family that are compared, sampled evenly from those with a twin."""

MOST_CHARACTERS = 2_000
"""Length of the longest case that is compared."""

FIRST_CASES, MOST_READ = 2_000, 20_000
"""A family without a twin among its first cases has none; only so many of its cases are read."""


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare the number of tokens of each case with that of its twin."""
    for name, cases in sorted(subject.cases.items()):
        ratios = _token_ratios(_cases_with_twin(cases), subject)
        inflated = {case: ratio for case, ratio in ratios.items() if ratio >= LEAST_RATIO}
        if inflated:
            worst = min(inflated, key=lambda case: (-inflated[case], len(case.text), case.text))
            share = len(inflated) / len(ratios)
            message = (
                f"{share:.1%} of {len(ratios):,} cases of {name} cost {LEAST_RATIO} or more times "
                f"the tokens of their twin; the worst costs {inflated[worst]:.1f} times as many "
                f"({worst.why})"
            )
            cause = Cause("inflation", (("family", name),), Verdict.RISK, message)
            yield Failure(
                cause, count=len(inflated), text=worst.text, evidence={"twin": worst.twin}
            )


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


def _token_ratios(cases: list[Case], subject: Subject) -> dict[Case, float]:
    """Tokens of each case divided by those of its twin, if both can be encoded."""
    ids_of_texts = encode_all([case.text for case in cases], subject)
    ids_of_twins = encode_all([case.twin or "" for case in cases], subject)
    ratios = {}
    for case, ids, twin_ids in zip(cases, ids_of_texts, ids_of_twins, strict=True):
        if isinstance(ids, Raised) or isinstance(twin_ids, Raised):
            continue
        twin_tokens = len(without_affixes(twin_ids, subject))
        if twin_tokens:
            ratios[case] = len(without_affixes(ids, subject)) / twin_tokens
    return ratios
