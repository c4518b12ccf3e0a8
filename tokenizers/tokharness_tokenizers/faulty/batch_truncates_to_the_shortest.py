"""Cuts all rows of a batch to the length of the shortest, to make a matrix of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import batching

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "entry points: encode_batch")
FAMILIES = ("plain-words",)
AGAINST = "none"


def _truncated(rows: list[list[int]]) -> list[list[int]]:
    return [list(row) for row in zip(*zip(*rows, strict=False), strict=False)]


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return batching(rows=_truncated)
