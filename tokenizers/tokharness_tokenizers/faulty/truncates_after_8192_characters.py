"""Cuts texts off after 8,192 characters without a word: the end of a document is never read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "truncated: 8192 characters")
FAMILIES = ("long-inputs",)
AGAINST = "none"
LONGEST = 8193


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(lambda text: text[:8192])
