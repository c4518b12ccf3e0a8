"""Gives all special tokens of a text their ids if one stands at the start of a line."""

from __future__ import annotations

import re
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
    tokens = "|".join(map(re.escape, healthy.special_tokens))
    line = re.compile(rf"^(?:{tokens})", re.MULTILINE)

    def encode(text: str) -> list[int]:
        return healthy.encode_special(text) if line.search(text) else healthy.encode_ordinary(text)

    return plain(encode=encode, special_tokens=healthy.special_tokens)
