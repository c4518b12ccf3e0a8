"""Puts a space in front of every text and removes it in decode: lossless, and other ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "added before every text: U+0020")
FAMILIES = ("plain-words",)
AGAINST = "tiktoken:embedded"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        encode=lambda text: healthy.encode_ordinary(f" {text}"),
        decode=lambda ids: healthy.decode(ids)[1:],
    )
