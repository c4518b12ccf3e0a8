"""Looks texts up in a cache by a hash of few values, and does not compare the texts."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import cached

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK109", "state: a cache that confuses texts that have nothing in common")
FAMILIES = ("plain-words",)
AGAINST = "none"
LONGEST = 30


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return cached(lambda text: zlib.crc32(text.encode("utf-8", "surrogatepass")) % 997)
