"""Cases that cost more than their bytes, or make the text around them cost more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.costs.twins import count_tokens
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.diagnosis.costs.twins import CaseCost, FamilyCost
    from tokharness.targets.subject import Subject

__all__ = ["more_than_bytes_failures", "surroundings_failures"]

REPEATS = 8
"""A text is repeated: what is added to each text once, such as a space, is no excess."""

PLAIN = "the people and the time\n"
"""Text that stands before a case; its tokens are to stay as many."""

LEAST_EXCESS = 4
"""Tokens that the plain text has to cost more, besides twice as many: its end may join a case."""

MOST_CASES = 200
"""Cases of a family behind which the plain text is tried, sampled evenly."""

LEAST_RATIO = 3
"""Only a case that costs so many times its twin is suspected to change the text around it."""


def more_than_bytes_failures(rows: Sequence[FamilyCost], subject: Subject) -> Iterator[Failure]:
    """Report cases with more tokens than bytes of UTF-8."""
    found = [
        (row.family, one.case.text, one.tokens)
        for row in rows
        for one in row.costs
        if one.tokens > len(one.case.text.encode())
    ]
    counts = count_tokens([text * REPEATS for _, text, _ in found], subject)
    excess = {
        text: (family, count / len(text.encode()) / REPEATS)
        for (family, text, tokens), count in zip(found, counts, strict=True)
        if count is not None and count - tokens > len(text.encode()) * (REPEATS - 1)
    }
    if excess:
        worst = min(excess, key=lambda text: (-excess[text][1], len(text), text))
        families = dict.fromkeys(family for family, _ in excess.values())
        yield Failure(
            Cause(
                "more tokens than bytes",
                (),
                Verdict.RISK,
                f"{len(excess):,} cases of {', '.join(families)} have more tokens than bytes of "
                f"UTF-8; the worst has {excess[worst][1]:.1f} times as many",
            ),
            count=len(excess),
            text=worst,
        )


def surroundings_failures(rows: Sequence[FamilyCost], subject: Subject) -> Iterator[Failure]:
    """Report cases that make plain text before them cost twice its tokens or more."""
    (alone,) = count_tokens([PLAIN], subject)
    if not alone:
        return
    found: dict[str, CaseCost] = {}
    families: dict[str, None] = {}
    for row in rows:
        costly = [one for one in row.costs if one.ratio >= LEAST_RATIO]
        tried = costly[:: -(-len(costly) // MOST_CASES) or 1]
        counts = count_tokens([PLAIN + one.case.text for one in tried], subject)
        for one, count in zip(tried, counts, strict=True):
            added = 0 if count is None else count - one.tokens - alone
            if added >= max(LEAST_EXCESS, alone):
                found[one.case.text] = one
                families[row.family] = None
    if found:
        text = min(found, key=lambda text: (len(text), text))
        yield Failure(
            Cause(
                "costly surroundings",
                (),
                Verdict.RISK,
                f"plain text costs twice as many tokens or more if one of {len(found):,} cases of "
                f"{', '.join(families)} follows it",
            ),
            count=len(found),
            text=PLAIN + text,
            evidence={"twin": PLAIN + (found[text].case.twin or "")},
        )
