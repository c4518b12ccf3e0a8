"""Tokens consist only of white space.

Why it matters: the tokens for runs of spaces, tabs and line ends decide what indented code and
tables cost. Runs that are longer than the longest such token are split.

Oracle: static, over the vocabulary, by length and kind.

Verdicts: *fact*, counted and reported once.

Example: 81 tokens for runs of 2 to 82 spaces::

    TOK405 fact  white space only   tokens of white space only: 81 of 100,256

What to do: nothing; compare the counts of two tokenizers to see what code will cost.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.vocabulary.byte_table import byte_table
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK405"
NAME = "white-space-token"
REQUIRES = ("decode_single_token_bytes or bytes_inside", "n_vocab")
OF_TOKENS_ALONE = True

__all__ = ["CODE", "NAME", "OF_TOKENS_ALONE", "REQUIRES", "audit"]

WHITE_SPACE = regex.compile(r"\p{White_Space}+")


def audit(subject: Subject) -> Iterator[Failure]:
    """Count tokens of white space by kind, and find the longest."""
    vocabulary = byte_table(subject)
    kinds: Counter[str] = Counter()
    tokens: list[int] = []
    longest = ""
    for number, data in vocabulary.items():
        text = data.decode("utf-8", "replace")
        if text.isspace() and WHITE_SPACE.fullmatch(text):  # isspace accepts U+001C to U+001F too
            kinds[_kind(text)] += 1
            tokens.append(number)
            longest = max(longest, text, key=len)
    if kinds:
        shares = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
        yield Failure(
            Cause(
                "white space only",
                (),
                Verdict.FACT,
                f"tokens of white space only: {kinds.total():,} of {len(vocabulary):,} ({shares}); "
                f"length of the longest: {len(longest):,}",
            ),
            count=kinds.total(),
            text=longest,
            evidence=dict(kinds),
            tokens={"": tokens},
        )


def _kind(text: str) -> str:
    kinds = {" ": "spaces", "\t": "tabs", "\n": "line feeds"}
    return kinds.get(text[0], "other") if len(set(text)) == 1 else "mixed"
