"""Takes the longest token at each place, as WordPiece does, where it should merge by rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import merging, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "merge order")
FAMILIES = ("plain-words",)
AGAINST = "tiktoken:embedded"


def _longest(piece: bytes) -> list[bytes]:
    ranks, parts, at = vocabulary().ranks, [], 0
    while at < len(piece):
        size = next(n for n in range(len(piece) - at, 0, -1) if piece[at : at + n] in ranks)
        parts.append(piece[at : at + size])
        at += size
    return parts


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return merging(_longest)
