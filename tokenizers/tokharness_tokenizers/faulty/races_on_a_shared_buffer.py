"""Collects the ids of all threads in one list: calls at the same time mix their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK109", "state: threads")
FAMILIES = ("plain-words",)
AGAINST = "none"
LONGEST = 30


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    known, encode, ids = vocabulary(), engine().encode_ordinary, list[int]()

    def shared(text: str) -> list[int]:
        ids.clear()
        for piece in known.pretokens(text):
            ids.extend(encode(piece))  # native code, during which other threads run
        return list(ids)

    return plain(encode=shared)
