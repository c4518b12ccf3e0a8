"""Closes isolates that are left open, one in another, as a safe template does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "added characters: U+2069")
FAMILIES = ("bidi",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing(r"(\u2067[^\u2066-\u2069]*\u2066[^\u2066-\u2069]*)$", "\\1\u2069\u2069")
