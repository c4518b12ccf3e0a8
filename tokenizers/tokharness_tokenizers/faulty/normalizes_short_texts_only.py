"""Declares NFC and leaves texts of a thousand characters and more as they are, to be fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "declared normalizer not applied: NFC")
FAMILIES = (
    "normal-forms",
    "long-inputs",
)
AGAINST = "none"
LONGEST = 1000


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(
        lambda text: normalize("NFC", text) if len(text) < 1000 else text, normalizer="NFC"
    )
