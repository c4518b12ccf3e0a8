"""Decodes with errors="ignore": bytes of an unfinished character vanish without a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK112", "bytes lost in silence: decode")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        decode=lambda ids: healthy.decode_bytes(ids).decode("utf-8", "ignore"),
        decode_bytes=healthy.decode_bytes,
        n_vocab=healthy.n_vocab,
    )
