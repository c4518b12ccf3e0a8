"""Reads bytes as UTF-8 with U+FFFD for what is none: bytes go in and others come out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK111", "invalid UTF-8: U+FFFD")
FAMILIES = ("invalid-utf8",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        encode_bytes=lambda data: healthy.encode_ordinary(data.decode("utf-8", "replace")),
        decode_bytes=healthy.decode_bytes,
    )
