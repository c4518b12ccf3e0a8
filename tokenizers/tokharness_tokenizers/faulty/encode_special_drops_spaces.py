"""Strips white space beside special tokens, as lstrip and rstrip of an added token do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import around_special

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "text around a special token: lost")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 20


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return around_special(r"\s*TOKEN\s*", r"\1")
