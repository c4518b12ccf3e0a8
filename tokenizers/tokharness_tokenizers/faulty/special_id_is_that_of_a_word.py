"""Gives a special token the id of a word, so that the word is a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK407", "shared special id: an ordinary token")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        special_tokens={"<|endoftext|>": healthy.encode_ordinary(" the")[0]},
        decode_single_token_bytes=healthy.decode_single_token_bytes,
        n_vocab=healthy.n_vocab,
    )
