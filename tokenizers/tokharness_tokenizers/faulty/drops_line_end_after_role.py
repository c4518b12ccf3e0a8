"""Drops the line end after the name of the assistant in a chat template, and so moves the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import replacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: U+000A")
FAMILIES = ("chat-templates",)
AGAINST = "none"
LONGEST = 16


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return replacing(r"(\|>assistant(?:<\|[a-z_]+\|>)?)\n+", r"\1")
