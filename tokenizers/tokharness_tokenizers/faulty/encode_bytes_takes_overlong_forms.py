"""Reads the overlong form of a character as that character, past every filter of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK111", "invalid UTF-8: other bytes")
FAMILIES = ("invalid-utf8",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    known = vocabulary()
    return plain(
        encode_bytes=lambda data: known.encode_bytes(data.replace(b"\xc0\x80", b"\x00")),
        decode_bytes=healthy.decode_bytes,
    )
