"""Keeps thirty marks on a letter, the limit of Stream-Safe Text, and drops the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: several")
FAMILIES = ("combining-stacks",)
AGAINST = "none"
LONGEST = 33


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing(r"(\p{M}{30})\p{M}+", r"\1")
