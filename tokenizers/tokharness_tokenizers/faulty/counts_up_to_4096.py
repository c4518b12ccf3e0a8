"""Counts up to 4,096 tokens and no further, which its caller takes for the size of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "entry points: count")
FAMILIES = ("long-inputs",)
AGAINST = "none"
LONGEST = 8200


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    encode = engine().encode_ordinary
    return plain(count=lambda text: min(len(encode(text)), 4096))
