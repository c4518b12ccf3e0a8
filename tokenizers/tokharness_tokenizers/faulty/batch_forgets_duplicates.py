"""Encodes equal texts of a batch once and gives them once: the batch comes back shorter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "entry points: encode_batch")
FAMILIES = ("plain-words",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    encode = engine().encode_batch

    def batch(texts: Sequence[str]) -> list[list[int]]:
        return encode(list(dict.fromkeys(texts)))

    return plain(encode_batch=batch)
