r"""A token whose own text is encoded as other tokens.

Oracle: static, over the vocabulary (catalogue D1): ``encode(decode([i])) != [i]`` for a token of
valid UTF-8 that is not special; and tokens of several bytes that no valid UTF-8 holds. A second id
of a token is TOK406's to tell.

Why it matters: such a token may never be produced, so its embedding may never have been trained;
when its id is forced into the model, it acts as a glitch token. Failing to come back from its
own text does not prove that no text gives it, so the verdict is *risk*, one finding for all; one
of its own, which TOK302 tells, for those of digits.

Example: a token learned across a border at which the pattern now splits::

    TOK401 risk  token not its own encoding   12 of 100,256 tokens, among them " \u{a0}" (31,337)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.own_encoding import (
    MOST_SHOWN,
    astray_tokens,
    is_number,
    merged_digits,
)
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK401"
NAME = "token-not-its-own-encoding"
REQUIRES = ("decode_single_token_bytes", "n_vocab")

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]


def audit(subject: Subject) -> Iterator[Failure]:
    """Encode the text of every token."""
    every = astray_tokens(subject)
    yield from merged_digits(every)
    astray = {number: text for number, text in every.items() if not is_number(text)}
    if astray:
        number = min(astray, key=lambda n: (len(astray[n]), n))
        vocabulary = {*subject.vocabulary(), *subject.target.contested}
        yield Failure(
            Cause(
                "token not its own encoding",
                (),
                Verdict.RISK,
                f"{len(astray):,} of {len(vocabulary):,} tokens are encoded otherwise than as "
                f"themselves, id {number} among them",
            ),
            count=len(astray),
            text=astray[number],
            evidence={"ids": list(astray)[:MOST_SHOWN]},
        )
