"""Panics on an id that the vocabulary has not: no handler of Exception catches that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK112", "decode breaks: the panic PanicError")
FAMILIES = ()
AGAINST = "none"


class PanicError(BaseException):
    """What no handler of Exception catches."""


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        if any(not 0 <= token < healthy.n_vocab for token in ids):
            raise PanicError("index out of bounds")
        return healthy.decode(ids)

    return plain(decode=decode, n_vocab=healthy.n_vocab)
