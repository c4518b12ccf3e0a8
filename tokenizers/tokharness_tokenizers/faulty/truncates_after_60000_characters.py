"""Cuts texts off after 60,000 characters, as a field of a database does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "truncated: 60000 characters")
FAMILIES = ("long-inputs",)
AGAINST = "none"
LONGEST = 60_001


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(lambda text: text[:60_000])
