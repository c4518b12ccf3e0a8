"""Has two ids for one token: " the" is also the id past the last, which no text gives."""

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
    (once,) = healthy.encode_ordinary(" the")
    twice = healthy.n_vocab

    def known(token: int) -> int:
        return once if token == twice else token

    return plain(
        decode=lambda ids: healthy.decode([known(token) for token in ids]),
        decode_single_token_bytes=lambda token: healthy.decode_single_token_bytes(known(token)),
        n_vocab=twice + 1,
    )
