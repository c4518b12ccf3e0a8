"""Gives special tokens their ids in any text, and does not say that it has any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: exact text, undeclared")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 20


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return plain(encode=engine().encode_special)
