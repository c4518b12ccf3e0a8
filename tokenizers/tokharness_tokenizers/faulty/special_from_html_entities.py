"""Reads HTML entities before it looks for special tokens: escaped text is no longer safe."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import special

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: HTML entities")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 30


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return special(html.unescape)
