"""Composes each pre-token after it has cut the text: a text that was decoded is cut otherwise."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import engine, plain, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK113", "drift: settle")
FAMILIES = ("normal-forms",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    known, encode = vocabulary(), engine().encode_ordinary

    def ids(text: str) -> list[int]:
        pieces = (normalize("NFC", piece) for piece in known.pretokens(text))
        return list(chain.from_iterable(map(encode, pieces)))

    return plain(encode=ids, normalizer="NFC")
