"""Of equal pairs merges the rightmost first, where the algorithm takes the leftmost."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import merging, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "merge order")
FAMILIES = ("long-inputs",)
AGAINST = "tiktoken:embedded"


def _merged(piece: bytes) -> list[bytes]:
    ranks, parts = vocabulary().ranks, [piece[at : at + 1] for at in range(len(piece))]
    while True:
        pairs = [
            (ranks[left + right], -at)
            for at, (left, right) in enumerate(pairwise(parts))
            if left + right in ranks
        ]
        if not pairs:
            return parts
        at = -min(pairs)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return merging(_merged)
