"""Leaves ids out that the vocabulary has not: what a broken model says looks whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK112", "ids lost in silence: decode")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        decode=lambda ids: healthy.decode([i for i in ids if 0 <= i < healthy.n_vocab]),
        n_vocab=healthy.n_vocab,
    )
