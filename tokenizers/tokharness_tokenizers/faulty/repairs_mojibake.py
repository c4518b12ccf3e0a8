"""Repairs text that was once decoded as Latin-1, and text that only looks so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "text changed")
FAMILIES = ("byte-alphabet",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing("\u00c3([\u00a0-\u00bf])", lambda pair: chr(0x40 + ord(pair[1])))
