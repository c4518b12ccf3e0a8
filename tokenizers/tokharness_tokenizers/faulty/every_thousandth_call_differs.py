"""Gives the bytes unmerged at each thousandth call, as after a cache that was emptied."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK109", "state")
FAMILIES = ("normal-forms",)
AGAINST = "none"
LONGEST = 60
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    ranks, healthy, calls = vocabulary().ranks, engine(), count(1)

    def encode(text: str) -> list[int]:
        ids = healthy.encode_ordinary(text)
        if next(calls) % 1000:
            return ids
        return [ranks[bytes([byte])] for byte in healthy.decode_bytes(ids)]

    return plain(encode=encode)
