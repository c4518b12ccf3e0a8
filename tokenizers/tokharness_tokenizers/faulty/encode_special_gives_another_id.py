"""Gives a special token the id of its neighbour: a turn of a conversation never ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "special token: encode_special")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 20


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    last = max(healthy.special_tokens.values())
    return plain(
        encode_ordinary=healthy.encode_ordinary,
        encode_special=lambda text: [i - (i == last) for i in healthy.encode_special(text)],
        special_tokens=healthy.special_tokens,
    )
