"""Takes U+180E for white space, which it was until Unicode 6.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import spacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "character class: U+180E MONGOLIAN VOWEL SEPARATOR, white space")
FAMILIES = ("contractions",)
AGAINST = "tiktoken:embedded"
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return spacing(r"\x{180E}")
