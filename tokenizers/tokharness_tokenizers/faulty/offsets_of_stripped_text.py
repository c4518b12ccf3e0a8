"""Counts offsets from the first character that is no white space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK107", "offsets: of the stripped text")
FAMILIES = ("leading-space",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        by = len(text) - len(text.lstrip())
        return ids, [(max(start - by, 0), max(end - by, 0)) for start, end in spans]

    return plain(encode_with_offsets=encode)
