"""Overlooks white space inside special tokens, as an agent does that repairs templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import special

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: white space removed")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 15


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return special(lambda text: "".join(text.split()))
