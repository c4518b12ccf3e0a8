"""Bounds the runs of white space that one pre-token takes, against long backtracking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "pre-token split: white space")
FAMILIES = ("long-inputs",)
AGAINST = "tiktoken:embedded"
LONGEST = 700


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"\s+", r"\s{1,100}"))
