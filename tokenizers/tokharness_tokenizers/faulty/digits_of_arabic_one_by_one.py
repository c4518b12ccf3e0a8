"""Cuts the digits of one script one by one, and of all others in threes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "pre-token split: number")
FAMILIES = ("digits",)
AGAINST = "tiktoken:embedded"
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"[\p{N}]{1,3}", r"[\u{660}-\u{669}]|[\p{N}]{1,3}"))
