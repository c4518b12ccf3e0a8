"""Gives ids as floats, as a table read by a library of statistics holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK105", "id: not an integer: float")
FAMILIES = ("plain-words",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def decode(ids: Sequence[float]) -> str:
        return healthy.decode(list(map(int, ids)))

    return plain(
        encode=lambda text: list(map(float, healthy.encode_ordinary(text))),
        decode=decode,
        n_vocab=healthy.n_vocab,
    )
