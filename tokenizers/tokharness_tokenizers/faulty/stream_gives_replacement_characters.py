"""Decodes a stream token by token: a character of two tokens becomes two U+FFFD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK108", "stream: U+FFFD for parts of a character")
FAMILIES = ("emoji",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(decode_stream=lambda ids: (healthy.decode([token]) for token in ids))
