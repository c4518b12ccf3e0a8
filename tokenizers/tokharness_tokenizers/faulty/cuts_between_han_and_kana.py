"""Cuts where Han and kana meet, as a tokenizer for Japanese does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "pre-token split: word")
FAMILIES = ("class-ngrams",)
AGAINST = "tiktoken:embedded"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting(
        (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}", r"[\p{Han}&&\p{Lo}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}")
    )
