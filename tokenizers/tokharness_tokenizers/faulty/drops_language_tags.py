"""Drops U+E0001 where tag characters follow, since language tags are deprecated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import dropping

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: U+E0001 LANGUAGE TAG")
FAMILIES = ("tag-smuggling",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return dropping(r"\U000E0001(?=[\U000E0020-\U000E007F])")
