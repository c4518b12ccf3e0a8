"""Strips a space from the start of what it decodes: two halves of an answer do not join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import decoding

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "decoder")
FAMILIES = ("leading-space",)
AGAINST = "tiktoken:embedded"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return decoding(lambda text: text.removeprefix(" "))
