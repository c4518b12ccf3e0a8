"""Looks for special tokens in what is left without invisible characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from tokharness_tokenizers.faulty._wrapping import special

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: invisible characters removed")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 15


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
    return special(lambda text: str(ignorable.sub("", text)))
