"""Strips accents, as many uncased vocabularies do: two words of Vietnamese become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "normalizer: accents stripped and NFC")
FAMILIES = ("normal-forms",)
AGAINST = "none"


def _bare(text: str) -> str:
    return normalize("NFC", regex.sub(r"\p{Mn}+", "", normalize("NFD", text)))


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(_bare)
