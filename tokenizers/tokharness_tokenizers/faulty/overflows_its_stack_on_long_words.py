"""Merges by recursion: a word of a few thousand letters is deeper than the stack."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK102", "raises: encode, RecursionError")
FAMILIES = ("long-inputs",)
AGAINST = "none"
LONGEST = 3000


def _deep(length: int) -> int:
    return _deep(length - 1) if length else 0


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(lambda text: [_deep(len(word)) for word in re.findall(r"\w{900,}", text)])
