"""Counts offsets in what a reader takes for characters: a letter with its marks is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.graphemes import graphemes
from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK107", "offsets: grapheme clusters")
FAMILIES = ("combining-stacks",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        number = [at for at, cluster in enumerate(graphemes(text)) for _ in cluster]
        number.append(number[-1] + 1 if number else 0)
        return ids, [(number[start], number[end]) for start, end in spans]

    return plain(encode_with_offsets=encode)
