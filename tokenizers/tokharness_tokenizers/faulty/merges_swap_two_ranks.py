"""Merges by ranks of which two stand in each other's place, as in a file sorted by hand."""

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


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    known = dict(vocabulary().ranks)
    known[b"th"], known[b"he"] = known[b"he"], known[b"th"]
    return merging(lambda piece: merge_short(piece, known))
