"""Gives each token the span from 0 to 0, which a caller cannot tell from none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK107", "offsets: empty span")
FAMILIES = ("plain-words",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids = healthy.encode_ordinary(text)
        return ids, [(0, 0)] * len(ids)

    return plain(encode_with_offsets=encode)
