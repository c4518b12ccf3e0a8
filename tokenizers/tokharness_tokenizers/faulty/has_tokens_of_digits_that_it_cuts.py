"""Cuts numbers in single digits with a vocabulary that has tokens for three."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK302", "tokens of merged digits")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    faulty = splitting((r"[\p{N}]{1,3}", r"[\p{N}]"))
    faulty.decode_single_token_bytes = healthy.decode_single_token_bytes
    faulty.n_vocab = healthy.n_vocab
    return faulty
