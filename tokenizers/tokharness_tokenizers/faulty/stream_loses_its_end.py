"""Waits for the rest of a character that is whole: a real U+FFFD at the end never comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK108", "stream: lost at the end")
FAMILIES = ("noncharacters",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def stream(ids: Sequence[int]) -> Iterator[str]:
        given = 0
        for end in range(1, len(ids) + 1):
            text = healthy.decode(ids[:end])
            if not text.endswith("\ufffd"):
                yield text[given:]
                given = len(text)

    return plain(decode_stream=stream)
