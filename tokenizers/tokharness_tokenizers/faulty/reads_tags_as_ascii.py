"""Turns tag characters into the ASCII they mirror: a text nobody sees becomes instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+E0020")
FAMILIES = ("tag-smuggling",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(lambda text: text.translate({0xE0000 + low: low for low in range(0x20, 0x7F)}))
