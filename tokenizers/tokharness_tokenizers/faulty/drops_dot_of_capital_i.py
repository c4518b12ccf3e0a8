"""Reads the dotted capital I of Turkish as I, as folding to ASCII does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+0130")
FAMILIES = ("letter-case",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(lambda text: text.replace("\u0130", "I"))
