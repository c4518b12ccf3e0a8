"""Gives the bytes of a token's text: a part of a character becomes U+FFFD in three bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK106", "token bytes: U+FFFD for a part of a character")
FAMILIES = ("emoji",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        decode_single_token_bytes=lambda token: healthy.decode([token]).encode(),
        n_vocab=healthy.n_vocab,
    )
