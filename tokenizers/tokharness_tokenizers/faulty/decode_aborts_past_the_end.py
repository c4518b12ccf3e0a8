"""Aborts the process on an id that the vocabulary has not, as native code does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK112", "decode breaks: SIGABRT, past the end")
FAMILIES = ()
AGAINST = "none"
DEADLY = True


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        if max(ids, default=0) >= healthy.n_vocab:
            os.abort()
        return healthy.decode(ids)

    return plain(decode=decode, n_vocab=healthy.n_vocab)
