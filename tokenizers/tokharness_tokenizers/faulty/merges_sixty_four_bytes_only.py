"""Merges the first 64 bytes of a pre-token and gives the rest byte by byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import merging, vocabulary
from tokharness_tokenizers.reference.merging import merge_short

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "merge order")
FAMILIES = ("long-inputs",)
AGAINST = "tiktoken:embedded"
LONGEST = 70


def _merged(piece: bytes) -> list[bytes]:
    rest = [piece[at : at + 1] for at in range(64, len(piece))]
    return merge_short(piece[:64], vocabulary().ranks) + rest


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return merging(_merged)
