"""Finds special tokens in any case, after a filter has looked for the exact one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import special

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: case")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 14


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return special(str.lower)
