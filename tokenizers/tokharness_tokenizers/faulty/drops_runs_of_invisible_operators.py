"""Drops eight and more invisible operators in a row, against smuggling, and tells nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import dropping

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: several")
FAMILIES = ("invisible-bits",)
AGAINST = "none"
LONGEST = 10


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return dropping(r"[\u2061-\u2064]{8,}")
