"""Looks up a whole word only if it has at most sixteen bytes, and else joins two halves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import merging, vocabulary
from tokharness_tokenizers.reference.merging import merge_short

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "merge order")
FAMILIES = ("plain-words",)
AGAINST = "tiktoken:embedded"


def _halves(piece: bytes) -> list[bytes]:
    ranks, middle = vocabulary().ranks, len(piece) // 2
    if len(piece) <= 16:
        return merge_short(piece, ranks)
    return merge_short(piece[:middle], ranks) + merge_short(piece[middle:], ranks)


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return merging(_halves)
