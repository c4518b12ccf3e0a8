"""Takes the precomposed letters with nukta apart, as a normalizer for Indic scripts alone does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+0958")
FAMILIES = ("indic-conjuncts",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing(
        "[\u0958-\u095f\u09dc\u09dd\u09df\u0a59-\u0a5b\u0a5e]", lambda one: normalize("NFD", one[0])
    )
