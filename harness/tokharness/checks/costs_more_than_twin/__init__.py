"""Text that reads the same as plain text costs many more tokens.

Why it matters: tokens are money, time and room in the context. Text that looks the same and costs
several times as much can exhaust a budget or push a system prompt out of the context, and a limit
in characters does not stop it. Languages whose letters are written decomposed pay the same price.

Oracle: metamorphic. Each case of a family is compared with its twin: composed with decomposed, a
look-alike with the plain letter, inserted invisible characters with none. Token ids that every text
gets, such as a start token, are not counted.

Verdicts: *fact*, once, for the costs of families, with a table of the median and the worst case of
each family; an invisible character costs tokens in any vocabulary, by design. A case with more than
four times the characters of its twin is shown as the worst case only if the family has no shorter
case. *Fact*, once, for the costs of languages: the tokens of up to 199 CLDR names in each language
per token of the same names in English, given as a band, since names only estimate the cost of
running text. Languages that the target does not encode, or of which it loses a tenth, are left out.

*Risk* for costs that you can act on: *decomposed text*, scripts whose words (from CLDR's names)
cost at least twice as many tokens in NFD as in NFC, on the median; *more tokens than bytes*, cases
with more tokens than UTF-8 bytes, such as a character that a normalizer expands; and *costly
surroundings*, cases that at least double the tokens of plain text before them. The budgets of a
policy limit the costs of families and languages; `tokharness gate` applies them.

Example: Korean written in jamo, which look the same as syllables::

    TOK303 risk  decomposed text: Hangul   words cost 2 or more times as many tokens in NFD

What to do: compose text (NFC) before encoding it if a script is named, or train on both forms.
Limit requests by tokens, not by characters or bytes. If the surroundings cost more, one character
changes how the tokenizer treats the whole text, which is a fault of its code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks.costs_more_than_twin.twins import (
    FamilyCost,
    decomposed_text_failures,
    family_costs,
    is_of_like_length,
    more_than_bytes_failures,
    surroundings_failures,
)
from tokharness.diagnosis.costs.language_bands import language_failures
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK303"
NAME = "costs-more-than-twin"
REQUIRES = ("cases",)

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the costs of families and languages as facts, then the risks."""
    rows = family_costs(subject)
    if rows:
        yield _table(rows)
    yield from language_failures(subject)
    yield from decomposed_text_failures(subject)
    yield from more_than_bytes_failures(rows, subject)
    yield from surroundings_failures(rows, subject)


def _table(rows: list[FamilyCost]) -> Failure:
    dearest = max(rows, key=lambda row: (row.median, row.family))
    like = [row for row in rows if is_of_like_length(row.worst.case.text, row.worst.case.twin)]
    highest = max(like or rows, key=lambda row: (row.worst.ratio, row.family))
    worst = highest.worst
    message = (
        f"cases against their twins, by family: those of {dearest.family} cost most on the median, "
        f"{dearest.median:.1f} times the tokens; the worst case costs {worst.ratio:.1f} times as "
        f"many ({highest.family}, {worst.case.why})"
    )
    return Failure(
        Cause("costs of families", (), Verdict.FACT, message),
        count=sum(len(row.costs) for row in rows),
        text=worst.case.text,
        evidence={"twin": worst.case.twin, "families": [row.record() for row in rows]},
    )
