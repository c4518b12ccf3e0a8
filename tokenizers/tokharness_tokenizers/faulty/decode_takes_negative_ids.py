"""Takes -1 for the last token, as an index into a Python list does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK112", "id decodes to another token's text: counted from the end")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    table = [healthy.decode_single_token_bytes(token) for token in range(healthy.n_vocab)]
    return plain(
        decode=lambda ids: b"".join(table[token] for token in ids).decode("utf-8", "replace"),
        n_vocab=healthy.n_vocab,
    )
