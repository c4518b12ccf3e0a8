"""Has two ids for one token, and a model that learned both of them halfway."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK406", "duplicate tokens")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    last = healthy.encode_ordinary(" the")[0]

    def token_bytes(token: int) -> bytes:
        return healthy.decode_single_token_bytes(last if token == last + 1 else token)

    return plain(decode_single_token_bytes=token_bytes, n_vocab=healthy.n_vocab)
