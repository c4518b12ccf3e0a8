"""Leaves its fast path at U+200D and gives a token for each byte of the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK303", "inflation: zero-width")
FAMILIES = ("zero-width",)
AGAINST = "none"
LONGEST = 40


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    ranks, encode = vocabulary().ranks, engine().encode_ordinary

    def ids(text: str) -> list[int]:
        if "\u200d" not in text:
            return encode(text)
        return [ranks[bytes([byte])] for byte in text.encode("utf-8", "replace")]

    return plain(encode=ids)
