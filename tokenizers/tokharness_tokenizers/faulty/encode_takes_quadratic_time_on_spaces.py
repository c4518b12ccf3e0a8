"""Backtracks at each space of a run to the run's end, as one pattern for trailing spaces does."""

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


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(re.compile(" +(?=x)(?! )").findall)
