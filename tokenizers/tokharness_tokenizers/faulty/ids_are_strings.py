"""Gives ids as strings of digits, as JSON has the keys of a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK105", "id: not an integer: str")
FAMILIES = ("plain-words",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def decode(ids: Sequence[str]) -> str:
        return healthy.decode(list(map(int, ids)))

    return plain(
        encode=lambda text: list(map(str, healthy.encode_ordinary(text))),
        decode=decode,
        n_vocab=healthy.n_vocab,
    )
