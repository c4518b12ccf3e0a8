"""Raises on U+FFFF, for which its table of 16-bit units has no entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK102", "raises: encode, IndexError, U+FFFF")
FAMILIES = ("noncharacters",)
AGAINST = "none"

TABLE = bytes(0xFFFF)


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(lambda text: [TABLE[ord(char)] for char in text if "\uff00" <= char <= "\uffff"])
