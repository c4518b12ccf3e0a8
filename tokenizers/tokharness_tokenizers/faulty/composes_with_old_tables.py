"""Composes with the tables of Unicode 13.0 and does not say that it composes at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "normalizer: NFC")
FAMILIES = ("normal-forms",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(lambda text: normalize("NFC", text, version="13.0"))
