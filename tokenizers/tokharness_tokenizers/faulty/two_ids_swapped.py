"""Swaps the ids of two letters, there and back: another vocabulary of the same size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain, vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "vocabulary")
FAMILIES = ("plain-words",)
AGAINST = "tiktoken:embedded"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy, ranks = engine(), vocabulary().ranks
    one, other = ranks[b"q"], ranks[b"z"]
    swap = {one: other, other: one}

    def swapped(ids: Sequence[int]) -> list[int]:
        return [swap.get(token, token) for token in ids]

    return plain(
        encode=lambda text: swapped(healthy.encode_ordinary(text)),
        decode=lambda ids: healthy.decode(swapped(ids)),
    )
