"""Looks texts up in a cache by their first sixteen characters, to save memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import cached

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK109", "state: a cache that confuses texts with the same first 16 characters")
FAMILIES = ("plain-words",)
AGAINST = "none"
LONGEST = 30


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return cached(lambda text: text[:16])
