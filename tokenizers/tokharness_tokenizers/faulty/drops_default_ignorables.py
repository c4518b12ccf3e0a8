"""Drops what a font shows nothing for, the filler letters of Hangul among it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import dropping

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: assigned Default_Ignorable_Code_Point")
FAMILIES = ("zero-width",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return dropping(r"(?!\p{Cn})\p{Default_Ignorable_Code_Point}")
