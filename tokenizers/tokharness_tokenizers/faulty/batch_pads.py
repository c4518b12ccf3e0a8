"""Fills the rows of a batch with zeros up to the longest, and zero is a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import batching

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "entry points: encode_batch")
FAMILIES = ("plain-words",)
AGAINST = "none"


def _padded(rows: list[list[int]]) -> list[list[int]]:
    longest = max(map(len, rows), default=0)
    return [row + [0] * (longest - len(row)) for row in rows]


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return batching(rows=_padded)
