"""Fills the rows of a batch with zeros up to the longest, and zero is a token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "entry points: encode_batch")
FAMILIES = ("plain-words",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    encode = engine().encode_batch

    def batch(texts: Sequence[str]) -> list[list[int]]:
        rows = encode(list(texts))
        longest = max(map(len, rows), default=0)
        return [row + [0] * (longest - len(row)) for row in rows]

    return plain(encode_batch=batch)
