"""Tokens that hold U+FFFD, the replacement character.

Oracle: static, over the vocabulary (catalogue D10): bytes EF BF BD inside a token.

Why it matters: U+FFFD in a vocabulary was learned from text that was broken before training. It is
also what broken text decodes to, so a reader cannot tell the token from an accident. Counted and
told once, as by design.

Example: a token of two U+FFFD, frequent in a badly decoded web crawl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK404"
NAME = "replacement-character-in-token"
REQUIRES = ("decode_single_token_bytes", "n_vocab")

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

REPLACEMENT = "\ufffd".encode()


def audit(subject: Subject) -> Iterator[Failure]:
    """Count the tokens that hold the bytes of U+FFFD."""
    found = {i: data for i, data in subject.vocabulary().items() if REPLACEMENT in data}
    if found:
        yield Failure(
            Cause(
                "replacement character in token",
                (),
                Verdict.BY_DESIGN,
                f"{len(found):,} tokens hold U+FFFD",
            ),
            count=len(found),
            text=min(found.values(), key=lambda data: (len(data), data)),
            evidence={"ids": list(found)[:50]},
        )
