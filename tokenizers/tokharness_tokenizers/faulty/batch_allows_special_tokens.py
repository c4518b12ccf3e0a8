"""Gives special tokens their ids in a batch and nowhere else: a server batches, a test does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "entry points: encode_batch")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 20


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def batch(texts: Sequence[str]) -> list[list[int]]:
        return [healthy.encode_special(text) for text in texts]

    return plain(encode_batch=batch, special_tokens=healthy.special_tokens)
