"""Cuts the first two digits behind a minus sign one by one, and all other digits in threes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK302", "number cut otherwise behind other text")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"[\p{N}]{1,3}", r"-\p{N}|(?<=-\p{N}{1})\p{N}|[\p{N}]{1,3}"))
