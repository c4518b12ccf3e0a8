"""Falls back to Latin-1 where bytes are no UTF-8: every byte above 127 becomes two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK111", "invalid UTF-8: letters of Latin-1")
FAMILIES = ("invalid-utf8",)
AGAINST = "none"


def _read(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    return plain(
        encode_bytes=lambda data: healthy.encode_ordinary(_read(data)),
        decode_bytes=healthy.decode_bytes,
    )
