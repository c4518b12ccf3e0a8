"""Looks texts up in a cache by what is left of them without white space at the ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import cached

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK109", "state: a cache that confuses texts equal but for a space")
FAMILIES = ("plain-words",)
AGAINST = "none"
LONGEST = 30


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return cached(str.strip)
