"""What languages cost: the names that CLDR has in each, against the same names in English."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from tokharness.diagnosis.costs.twins import count_tokens
from tokharness.model import Cause, Failure, Verdict
from tokharness.unicode.languages import language_name, parallel_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

__all__ = ["language_failures"]

MOST_NAMED = 5
"""Languages that the message names, those that cost most."""


def language_failures(subject: Subject) -> Iterator[Failure]:
    """Report the costs of languages once, with a table."""
    texts = parallel_texts()
    own = count_tokens([text for text, _ in texts.values()], subject)
    english = count_tokens([text for _, text in texts.values()], subject)
    ratios = {
        code: count / base
        for code, count, base in zip(texts, own, english, strict=True)
        if count and base and code != "en"
    }
    if not ratios:
        return
    worst = sorted(ratios, key=lambda code: -ratios[code])
    named = ", ".join(f"{language_name(code)} {ratios[code]:.0f}" for code in worst[:MOST_NAMED])
    middle = median(ratios.values())
    yield Failure(
        Cause(
            "costs of languages",
            (),
            Verdict.FACT,
            f"names in {len(ratios)} languages cost {middle:.1f} times the tokens of English on "
            f"the median; most: {named}",
        ),
        count=len(ratios),
        text=texts[worst[0]][0],
        evidence={
            "median": round(middle, 2),
            "languages": {code: round(ratio, 2) for code, ratio in sorted(ratios.items())},
        },
    )
