"""Reads memory that it does not own for U+10FFFF, one past the end of its table."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK104", "crash: encode, SIGSEGV")
FAMILIES = ("noncharacters",)
AGAINST = "none"
DEADLY = True


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(lambda text: "\U0010ffff" in text and ctypes.string_at(0))
