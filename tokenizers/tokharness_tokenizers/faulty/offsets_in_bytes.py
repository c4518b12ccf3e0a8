"""Counts offsets in bytes of UTF-8, as Rust does, where Python counts code points."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK107", "offsets: bytes of UTF-8")
FAMILIES = ("plain-words",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids = healthy.encode_ordinary(text)
        ends = list(accumulate(len(healthy.decode_single_token_bytes(token)) for token in ids))
        return ids, list(zip([0, *ends], ends, strict=False))

    return plain(encode_with_offsets=encode)
