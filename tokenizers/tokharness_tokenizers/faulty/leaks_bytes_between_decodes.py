"""Keeps the bytes of an unfinished character for the next call, which begins with them."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK112", "state: decode")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decode, data = decoder.decode, engine().decode_bytes
    return plain(decode=lambda ids: decode(data(ids)), n_vocab=engine().n_vocab)
