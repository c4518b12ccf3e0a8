"""Looks through a whole word again for each of its letters: a megabyte of them takes hours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK114", "superlinear growth: time, encode")
FAMILIES = ()
AGAINST = "none"
LONGEST = 10_000_000


def _slow(text: str) -> int:
    longest = max(map(len, re.findall("[a-z]+", text)), default=0)
    return sum(len(range(longest)[at:]) and sum(range(longest)) % 7 for at in range(0, longest, 8))


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(_slow)
