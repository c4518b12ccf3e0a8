"""Tokens hold U+FFFD, the replacement character.

Why it matters: U+FFFD in a vocabulary was learned from text that was broken before training. Broken
text also decodes to U+FFFD, so a reader cannot distinguish such a token from a decoding error.

Oracle: static, over the vocabulary: the bytes EF BF BD inside a token.

Verdicts: *fact*, counted and reported once.

Example: a token of two U+FFFD, which are frequent in a badly decoded web crawl::

    TOK404 fact  replacement character in token   U+FFFD is in 14 of 100,256 tokens

What to do: remove U+FFFD from the corpus before the next training run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.vocabulary.byte_table import byte_table
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK404"
NAME = "replacement-character-in-token"
REQUIRES = ("decode_single_token_bytes or bytes_inside", "n_vocab")
OF_TOKENS_ALONE = True

__all__ = ["CODE", "NAME", "OF_TOKENS_ALONE", "REQUIRES", "audit"]

REPLACEMENT = "\ufffd".encode()


def audit(subject: Subject) -> Iterator[Failure]:
    """Count the tokens that hold the bytes of U+FFFD."""
    vocabulary = byte_table(subject)
    tokens = {number: data for number, data in vocabulary.items() if REPLACEMENT in data}
    if tokens:
        yield Failure(
            Cause(
                "replacement character in token",
                (),
                Verdict.FACT,
                f"U+FFFD is in {len(tokens):,} of {len(vocabulary):,} tokens",
            ),
            count=len(tokens),
            text=min(tokens.values(), key=lambda data: (len(data), data)),
            evidence={"ids": list(tokens)[:50]},
            tokens={"": tokens.keys()},
        )
