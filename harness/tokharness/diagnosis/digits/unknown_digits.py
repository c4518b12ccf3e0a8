"""Digits for which a vocabulary has no token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.special.unknown_ids import unknown_ids
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["unknown_digit_failure", "unknown_digits"]

RUN = 3
"""Digits of the run that shows how several unknown digits are read."""


def unknown_digits(subject: Subject) -> str:
    """Return the ASCII digits that get the id for unknown text; "" if there are none."""
    return "".join(digit for digit in "0123456789" if _count_unknown(digit, subject))


def unknown_digit_failure(digits: str, subject: Subject) -> Failure:
    """Return the fact that these digits are unknown, with how a run of them is read."""
    run = digits[0] * RUN
    tokens = _count_unknown(run, subject)
    read = {
        1: "a run of them is one unknown token",
        RUN: "each of them is an unknown token",
    }.get(tokens, f"{run} has {tokens} unknown tokens")
    listed = ", ".join(digits)
    return Failure(
        Cause(
            "unknown digits",
            (("digits", listed),),
            Verdict.FACT,
            f"digits without a token: {listed}; {read}, so numbers have no policy",
        ),
        count=len(digits),
        text=run,
        evidence={"digits": list(digits), "run": run, "unknown tokens": tokens},
    )


def _count_unknown(text: str, subject: Subject) -> int:
    """Count the ids of a text that stand for unknown text."""
    unknown = {subject.target.unknown_id, *unknown_ids(subject)} - {None}
    ids = without_affixes(subject.encode(text) or [], subject)
    return sum(number in unknown for number in ids)
