r"""The text of a token is encoded as different tokens.

Why it matters: such a token may never be produced, so its embedding may never have been trained; if
its id is forced into the model, it acts as a glitch token.

Oracle: static, over the vocabulary: ``encode(decode([i])) != [i]`` for a token that is valid UTF-8
and not special; and tokens of several bytes that no valid UTF-8 contains. TOK406 reports a second
id of a token.

Verdicts: *risk*, one finding for all such tokens, because another text may still produce them. Such
tokens of digits are one finding of their own, which TOK302 reports.

Example: a token that was merged across a border where the pattern now splits::

    TOK401 risk  token not its own encoding   12 of 100,256 tokens, among them " \u{a0}" (31,337)

What to do: train the vocabulary with the pattern that encoding uses; mask these ids when sampling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.own_encoding import (
    MAX_SHOWN,
    is_number,
    merged_digit_failures,
    tokens_encoded_differently,
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
    """Encode the text of every token, and report those that are encoded differently."""
    tokens = tokens_encoded_differently(subject)
    yield from merged_digit_failures(tokens)
    tokens = {number: text for number, text in tokens.items() if not is_number(text)}
    if tokens:
        number = min(tokens, key=lambda n: (len(tokens[n]), n))
        vocabulary = {*subject.vocabulary(), *subject.target.conflicting_tokens}
        yield Failure(
            Cause(
                "token not its own encoding",
                (),
                Verdict.RISK,
                f"encoding the text of a token gives different tokens for {len(tokens):,} of "
                f"{len(vocabulary):,} tokens, for example id {number}",
            ),
            count=len(tokens),
            text=tokens[number],
            evidence={"ids": list(tokens)[:MAX_SHOWN], "tokens": len(vocabulary)},
        )
