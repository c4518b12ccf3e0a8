"""Gives the first 512 ids, as an old model's default length does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "truncated: 512 tokens")
FAMILIES = ("long-inputs",)
AGAINST = "none"
LONGEST = 2000


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    encode = engine().encode_ordinary
    return plain(encode=lambda text: encode(text)[:512])
