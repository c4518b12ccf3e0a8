"""Turns Cyrillic letters that look Latin into Latin ones: against spoofing, and against Russian."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+0430")
FAMILIES = ("homoglyphs",)
AGAINST = "none"

TABLE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455",
    "aeopcyxijs",
)


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(lambda text: text.translate(TABLE))
