"""Leaves marks out of words: the vowel signs of Indic scripts cut every word in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "character class: of M")
FAMILIES = ("indic-conjuncts",)
AGAINST = "tiktoken:embedded"
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"\p{M}", ""))
