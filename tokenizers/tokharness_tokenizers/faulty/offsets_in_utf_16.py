"""Counts offsets in UTF-16 units, as JavaScript does, where Python counts code points."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK107", "offsets: UTF-16 code units")
FAMILIES = ("emoji",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        at = [0, *accumulate(1 + (char > "\uffff") for char in text)]
        return ids, [(at[start], at[end]) for start, end in spans]

    return plain(encode_with_offsets=encode)
