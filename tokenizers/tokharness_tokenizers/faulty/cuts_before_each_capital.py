"""Cuts before each capital: a word in capitals is as many tokens as it has letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "pre-token split: word")
FAMILIES = ("letter-case",)
AGAINST = "tiktoken:embedded"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting(
        (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*", r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]?"),
        (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+", r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"),
    )
