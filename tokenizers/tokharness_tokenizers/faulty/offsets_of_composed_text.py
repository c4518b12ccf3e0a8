"""Counts offsets in the composed form of the text, though its ids are those of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK107", "offsets: of the text in NFC")
FAMILIES = ("normal-forms",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        at = [len(normalize("NFC", text[:end])) for end in range(len(text) + 1)]
        return ids, [(at[start], at[end]) for start, end in spans]

    return plain(encode_with_offsets=encode)
