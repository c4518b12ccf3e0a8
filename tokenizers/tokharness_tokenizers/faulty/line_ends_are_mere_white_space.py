"""Lacks the rule for line ends: indentation sticks to the line before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "pre-token split: line break")
FAMILIES = ("white-space",)
AGAINST = "tiktoken:embedded"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"\s*[\r\n]+|", ""))
