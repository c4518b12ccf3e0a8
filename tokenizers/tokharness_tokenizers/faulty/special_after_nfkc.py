"""Finds special tokens in the NFKC of a text: full width forges the border of a turn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import special

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: NFKC")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 14


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return special(partial(normalize, "NFKC"))
