r"""No text is encoded to ids that include the token.

Why it matters: a token that is never produced is never trained. If its id is forced into a model,
it acts as a glitch token, and its row of the embedding matrix is wasted. A token that is only
produced in rare contexts is trained little.

Oracle: the target itself, and proofs of the reference that reads the same vocabulary. A token is
reached if the target encodes some text to ids that include it: the token's own text, its text in
contexts, or characters that have its bytes. A token whose own text is encoded to other tokens may
still be reached. If no text is found, the reference may prove that there is none:

- *no merges lead to it*, so that the bytes of the token are always merged into others;
- *no pre-token can hold it*: the pattern always splits its text;
- *it joins its neighbours in every pre-token that can hold it*: each token that may stand next to
  the token is merged with a part of it;
- *another segmentation of its text is always better*: the model takes other pieces;
- *the normalizer never leaves its text*;
- *an added or special token always takes its text*;
- *no UTF-8 text has its bytes*.

A proof holds for the target as far as it does what the reference does, which TOK201 checks.

Verdicts: *risk*: one finding for all tokens that are proven unreachable; one for tokens that are
neither reached nor proven unreachable, with the number of texts that were tried; and one for *merge
orphans*, tokens to which no merges lead and which are produced only as a whole pre-token. *Fact*,
reported once, for the tokens that are reached in context alone, with a text for each. Tokens of
single bytes that exist for rare needs are left out: the thirteen bytes that UTF-8 never uses
(TOK403 counts them), and tokens of byte fallback, such as ``<0x41>``, most of which are for
characters with a token of their own (TOK406). A second id of a token is left to TOK406. TOK302
reports tokens of digits that the target splits.

Example: a vocabulary with tokens whose text its pattern splits::

    TOK401 risk  unreachable tokens   1,661 of 151,655 tokens, among them "\u0e17\u0e35\u0e48"

What to do: before training, train the vocabulary with the pattern and the normalizer that encoding
uses, or remove the tokens. Afterwards, mask their ids when sampling, and do not let users send ids.
A token of a part of a character is often only reached by rare characters: keep it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.reachability import IN_CONTEXT, NOT_REACHED, UNREACHABLE, reach_of_tokens
from tokharness.diagnosis.reachability.faults import (
    is_number,
    merge_orphans,
    merged_digit_failures,
    texts_without_reach,
)
from tokharness.diagnosis.special.added import never_encoded, never_encoded_failures
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.diagnosis.reachability import Reach
    from tokharness.targets.subject import Subject

CODE = "TOK401"
NAME = "unreachable-token"
REQUIRES = ("n_vocab",)
NEEDS_REACH = True

__all__ = ["CODE", "NAME", "NEEDS_REACH", "REQUIRES", "audit"]

MOST_SHOWN = 50
MOST_WITNESSES = 20


def audit(subject: Subject) -> Iterator[Failure]:
    """Search for a text that gives each token, and report the tokens for which there is none."""
    reach = reach_of_tokens(subject)
    texts = texts_without_reach(subject)
    yield from merged_digit_failures(texts)
    yield from never_encoded_failures(subject)
    reported = {t for t, cause in never_encoded(subject).items() if cause.verdict is Verdict.BUG}
    reported |= {text for text in texts.values() if isinstance(text, str) and is_number(text)}
    texts = {number: text for number, text in texts.items() if text not in reported}
    proven = {n: text for n, text in texts.items() if reach[n].state == UNREACHABLE}
    if proven:
        reasons = Counter(reach[number].reason for number in proven)
        why = ", ".join(f"{reason}: {count:,}" for reason, count in reasons.most_common())
        yield _failure(
            "unreachable tokens",
            f"no text is encoded to ids with {len(proven):,} of {len(reach):,} tokens ({why})",
            proven,
            reach,
        )
    left = {n: text for n, text in texts.items() if reach[n].state == NOT_REACHED}
    if left:
        yield _failure(
            "tokens not reached",
            f"no text that was tried is encoded to ids with {len(left):,} of {len(reach):,} tokens",
            left,
            reach,
        )
    if orphans := merge_orphans(subject):
        yield _failure(
            "merge orphans",
            f"no merges lead to {len(orphans):,} of {len(reach):,} tokens, which are produced only "
            "as a whole pre-token",
            orphans,
            reach,
        )
    yield from _reached_in_context(reach)


def _failure(
    kind: str, message: str, texts: Mapping[int, str | bytes], reach: Mapping[int, Reach]
) -> Failure:
    number = min(texts, key=lambda n: (len(texts[n]), n))
    return Failure(
        Cause(kind, (), Verdict.RISK, f"{message}, for example id {number:,}"),
        count=len(texts),
        text=texts[number],
        evidence={
            "ids": list(texts)[:MOST_SHOWN],
            "tokens": len(reach),
            "reasons": _reasons(texts, reach),
        },
        tokens={"": texts.keys()},
    )


def _reasons(texts: Mapping[int, str | bytes], reach: Mapping[int, Reach]) -> list[dict[str, Any]]:
    """Return a row for each reason, with the shortest token."""
    by_reason: dict[str, list[int]] = {}
    for number in texts:
        by_reason.setdefault(reach[number].reason, []).append(number)
    rows = sorted(by_reason.items(), key=lambda row: -len(row[1]))
    return [
        {"reason": reason, "tokens": len(numbers), "id of the shortest": shortest}
        for reason, numbers in rows[:MOST_SHOWN]
        if (shortest := min(numbers, key=lambda n: (len(texts[n]), n))) is not None
    ]


def _reached_in_context(reach: Mapping[int, Reach]) -> Iterator[Failure]:
    """Report tokens that only a text other than their own gives, as a fact."""
    found = {n: one.witness for n, one in reach.items() if one.state == IN_CONTEXT}
    if found:
        yield Failure(
            Cause(
                "tokens reached in context alone",
                (),
                Verdict.FACT,
                f"the own text of {len(found):,} of {len(reach):,} tokens is encoded to other "
                "tokens, and another text is encoded to ids with them",
            ),
            count=len(found),
            text=min(found.values(), key=lambda text: (len(text), text)),
            evidence={
                "tokens": len(reach),
                "witnesses": [
                    {"id": number, "text": text}
                    for number, text in list(found.items())[:MOST_WITNESSES]
                ],
            },
            tokens={"": found.keys()},
        )
