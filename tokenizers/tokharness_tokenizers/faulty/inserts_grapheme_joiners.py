"""Puts U+034F after each thirty marks, as the Stream-Safe Text Process does: the text grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "added characters: U+034F")
FAMILIES = ("combining-stacks",)
AGAINST = "none"
LONGEST = 61


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing(r"(\p{Mn}{30})(?=\p{Mn})", "\\1\u034f")
