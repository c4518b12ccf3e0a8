"""Decodes all ids again for each id, to find what is new: a long answer takes longer and longer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK114", "superlinear growth: time, decode")
FAMILIES = ()
AGAINST = "none"
LONGEST = 10_000_000


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        given = ""
        for end in range(0, len(ids), 4):
            given = healthy.decode(ids[: end + 4])
        return given

    return plain(decode=decode)
