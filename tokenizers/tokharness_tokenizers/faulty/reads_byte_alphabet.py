"""Undoes the byte alphabet of GPT-2 on plain text, where Latin letters stand for bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import decoding

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+0100")
FAMILIES = ("byte-alphabet",)
AGAINST = "none"

TABLE = {0x100 + low: low for low in range(0x21)} | {0x121 + low: 0x7F + low for low in range(34)}


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return decoding(lambda text: text.translate(TABLE))
