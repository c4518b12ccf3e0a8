"""Gives special tokens their ids out of plain text: whoever types one speaks for the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: exact text")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 14


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(encode=healthy.encode_special, special_tokens=healthy.special_tokens)
