"""Forgets its special tokens in the size of its vocabulary: a model's matrix ends before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK407", "ids past n_vocab: special")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        special_tokens=healthy.special_tokens, n_vocab=min(healthy.special_tokens.values())
    )
