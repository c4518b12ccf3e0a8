"""Has no token for the byte 0xF4, with which the last planes of Unicode begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK403", "byte without a token: F4")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def token_bytes(token: int) -> bytes:
        data = healthy.decode_single_token_bytes(token)
        return b"\xf5" if data == b"\xf4" else data

    return plain(decode_single_token_bytes=token_bytes, n_vocab=healthy.n_vocab)
