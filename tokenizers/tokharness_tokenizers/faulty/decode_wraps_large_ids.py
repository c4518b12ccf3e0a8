"""Keeps 16 bits of an id: 65,536 too much gives another token, and no error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK112", "id decodes to another token's text: the low 16 bits")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    decode = engine().decode
    return plain(decode=lambda ids: decode([i & 0xFFFF for i in ids]), n_vocab=engine().n_vocab)
