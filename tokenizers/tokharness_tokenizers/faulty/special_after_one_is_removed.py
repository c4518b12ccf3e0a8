"""Removes special tokens once and not again: the outer of two nested ones is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: nested token joined")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 28


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    tokens = re.compile("|".join(map(re.escape, healthy.special_tokens)))
    return plain(
        encode=lambda text: healthy.encode_special(tokens.sub("", text)),
        special_tokens=healthy.special_tokens,
    )
