"""Leaves the space before punctuation alone, with a vocabulary that has it in its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK401", "token not its own encoding")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    faulty = splitting((r"| ?[^\s", r"|[^\s"))
    faulty.decode_single_token_bytes = healthy.decode_single_token_bytes
    faulty.n_vocab = healthy.n_vocab
    return faulty
