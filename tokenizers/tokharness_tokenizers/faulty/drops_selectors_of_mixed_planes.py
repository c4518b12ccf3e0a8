"""Drops a variation selector of the BMP between two of plane 14: a hidden message loses letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import dropping

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: ")
FAMILIES = ("variation-selectors",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return dropping(r"(?<=[\U000E0100-\U000E01EF])[\uFE00-\uFE0F](?=[\U000E0100-\U000E01EF])")
