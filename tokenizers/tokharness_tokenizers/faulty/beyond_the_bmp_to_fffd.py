"""Keeps 16 bits of each character and has U+FFFD for the rest: emoji and rare Han are one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: characters beyond the BMP")
FAMILIES = ("emoji",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(lambda text: "".join(c if ord(c) <= 0xFFFF else "\ufffd" for c in text))
