"""Gives the bytes of UTF-16 pairs in decode_bytes and characters in decode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "entry points: decode_bytes")
FAMILIES = ("emoji",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def as_bytes(ids: Sequence[int]) -> bytes:
        units = healthy.decode(ids).encode("utf-16-le", "surrogatepass")
        pairs = (
            units[at : at + 2].decode("utf-16-le", "surrogatepass")
            for at in range(0, len(units), 2)
        )
        return "".join(pairs).encode("utf-8", "surrogatepass")

    return plain(decode_bytes=as_bytes)
