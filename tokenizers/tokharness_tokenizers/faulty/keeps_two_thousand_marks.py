"""Keeps two thousand of the marks on a letter, the size of a buffer, and drops the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters:")
FAMILIES = ("combining-stacks",)
AGAINST = "none"
LONGEST = 2200
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing(r"(\p{L}[\u0300-\u036F]{2000})[\u0300-\u036F]+", r"\1")
