"""Puts the first of every three regional indicators behind the others: flags become others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "reordered characters")
FAMILIES = ("emoji",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing(
        "([\U0001f1e6-\U0001f1ff])([\U0001f1e6-\U0001f1ff])([\U0001f1e6-\U0001f1ff])", r"\2\3\1"
    )
