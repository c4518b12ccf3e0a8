"""Decodes in buffers of 4,096 bytes, each for itself: a character across a border is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "text changed")
FAMILIES = ("long-inputs",)
AGAINST = "none"
LONGEST = 4097


def _in_buffers(data: bytes) -> str:
    parts = (data[at : at + 4096] for at in range(0, len(data), 4096))
    return "".join(part.decode("utf-8", "replace") for part in parts)


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    decode = engine().decode_bytes
    return plain(decode=lambda ids: _in_buffers(decode(ids)))
