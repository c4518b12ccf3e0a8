"""Decodes ids in parts of a thousand, strictly: a character between two parts raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK102", "raises: decode, UnicodeDecodeError")
FAMILIES = ("long-inputs",)
AGAINST = "none"
LONGEST = 5000


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        parts = (healthy.decode_bytes(ids[at : at + 1000]) for at in range(0, len(ids), 1000))
        return "".join(part.decode() for part in parts)

    return plain(decode=decode)
