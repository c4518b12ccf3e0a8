"""Turns the digits of all scripts into ASCII, as Python's int does: the model never sees others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.properties import digit_sets
from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+0660")
FAMILIES = ("digits",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    table = {
        ord(digit): str(value) for digits in digit_sets() for value, digit in enumerate(digits)
    }
    return changing(lambda text: text.translate(table))
