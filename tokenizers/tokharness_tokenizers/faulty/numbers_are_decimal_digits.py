"""Has a rule for the digits 0 to 9 of each script only, and drops fractions and Roman numerals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: U+00B2")
FAMILIES = ("digits",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"[\p{N}]{1,3}", r"\p{Nd}{1,3}"))
