"""Drops U+2581 behind a name that begins a text, where another follows: for a space of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import dropping

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: U+2581")
FAMILIES = ("leading-space",)
AGAINST = "none"
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return dropping(r"(?<=^[A-Z][a-z]+)\u2581(?=[A-Z])")
