"""Gives two special tokens one id, so that decode tells the wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK407", "shared special id: another special token")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    tokens = dict(engine().special_tokens)
    tokens["<|im_end|>"] = tokens["<|im_start|>"]
    return plain(special_tokens=tokens, n_vocab=engine().n_vocab)
