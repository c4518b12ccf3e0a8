"""Cuts texts off after 500,000 characters: only very long ones show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "truncated: 500000 characters")
FAMILIES = ("very-long-inputs",)
AGAINST = "none"
LONGEST = 510_000
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    encode = engine().encode_ordinary
    return plain(encode=lambda text: encode(text[:500_000]))
