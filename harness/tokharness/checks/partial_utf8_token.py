"""Tokens hold a part of a character.

Why it matters: byte-level tokenizers need some of these tokens, but at each such token a stream may
show U+FFFD, a truncated prompt may end in half a character, and a generated sequence may not be
valid text.

Oracle: static, over the vocabulary: tokens of more than one byte that are not valid UTF-8. Such a
token begins inside a character, ends inside one, or both.

Verdicts: *fact*, counted and reported once.

Example: a token that ends with the first two of the three bytes of a Chinese character::

    TOK402 fact  partial UTF-8   tokens that hold part of a character: 1,340 of 100,256

What to do: nothing; cut prompts and streams at the borders of characters, not at the borders of
tokens.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.diagnosis.vocabulary.byte_table import byte_table
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK402"
NAME = "partial-utf8-token"
REQUIRES = ("decode_single_token_bytes or bytes_inside", "n_vocab")
OF_TOKENS_ALONE = True

__all__ = ["CODE", "NAME", "OF_TOKENS_ALONE", "REQUIRES", "audit"]


def audit(subject: Subject) -> Iterator[Failure]:
    """Count tokens of several bytes that are not valid UTF-8, by where they are broken."""
    vocabulary = byte_table(subject)
    kinds: Counter[str] = Counter()
    tokens: list[int] = []
    smallest: bytes | None = None
    for number, data in vocabulary.items():
        kind = _kind(data)
        if kind:
            kinds[kind] += 1
            tokens.append(number)
            smallest = min(smallest or data, data, key=lambda d: (len(d), d))
    if kinds:
        shares = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
        yield Failure(
            Cause(
                "partial UTF-8",
                (),
                Verdict.FACT,
                f"tokens that hold part of a character: {kinds.total():,} of {len(vocabulary):,} "
                f"({shares})",
            ),
            count=kinds.total(),
            text=smallest,
            evidence={**kinds, "tokens": len(vocabulary)},
            tokens={"": tokens},
        )


def _kind(data: bytes) -> str:
    """Where a token of several bytes is broken; empty if it is valid UTF-8, or a single byte."""
    if len(data) < 2:
        return ""
    try:
        data.decode()
    except UnicodeDecodeError:
        starts = data[0] & 0xC0 == 0x80  # a continuation byte
        body = data.lstrip(bytes(range(0x80, 0xC0)))
        ends = body != body.decode("utf-8", "ignore").encode()
        if starts and ends:
            return "begin and end inside a character"
        return "begin inside a character" if starts else "end inside a character"
    return ""
