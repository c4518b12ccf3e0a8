"""Backtracks exponentially on marks that no letter follows: thirty of them hang a server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK104", "hang: encode")
FAMILIES = ("combining-stacks",)
AGAINST = "none"
DEADLY = True
LONGEST = 60


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(re.compile("(?:[\u0300-\u036f]+)+[a-z]").search)
