"""Makes a table of all pairs of characters: a text of 65,536 takes four gigabytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK104", "out of memory: encode")
FAMILIES = (
    "long-inputs",
    "very-long-inputs",
)
AGAINST = "none"
DEADLY = True
LONGEST = 200_000


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(lambda text: bytes(len(text) ** 2))
