"""Composes conjoining jamo to syllables and nothing else, as a filter for Korean text does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "normalizer: NFC in part")
FAMILIES = ("hangul",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing(r"[\uAC00-\uD7A3\u1100-\u11FF]+", lambda run: normalize("NFC", run[0]))
