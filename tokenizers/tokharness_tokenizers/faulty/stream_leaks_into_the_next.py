"""Shares the decoder of bytes among all streams: what one leaves, the next begins with."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK108", "stream: leak from the stream before")
FAMILIES = ("emoji",)
AGAINST = "none"
LONGEST = 20


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    shared = codecs.getincrementaldecoder("utf-8")("replace")

    def stream(ids: Sequence[int]) -> Iterator[str]:
        return (shared.decode(healthy.decode_single_token_bytes(token)) for token in ids)

    return plain(decode_stream=stream)
