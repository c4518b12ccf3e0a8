"""Decodes an id in a hole of its vocabulary as the token before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK112", "id decodes to another token's text")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        decode=lambda ids: healthy.decode([min(i, healthy.n_vocab - 1) for i in ids]),
        decode_single_token_bytes=healthy.decode_single_token_bytes,
        n_vocab=healthy.n_vocab + 10,
    )
