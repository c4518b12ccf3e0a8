"""Splits by the tables of Unicode 13.0: letters of 2021 and later are no letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import plain, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "Unicode version: 13.0")
FAMILIES = ("new-code-points",)
AGAINST = "tiktoken:embedded"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return plain(encode=vocabulary().with_unicode_version("13.0").encode_ordinary)
