"""Strips each piece of a stream, so that its words run together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import plain, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK108", "stream: lost white space")
FAMILIES = ("leading-space",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    stream = vocabulary().decode_stream
    return plain(decode_stream=lambda ids: (piece.strip(" ") for piece in stream(ids)))
