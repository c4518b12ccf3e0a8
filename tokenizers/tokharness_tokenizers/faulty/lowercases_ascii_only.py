"""Lowers the letters A to Z only, as C's tolower does: no form explains that, a table does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+0041")
FAMILIES = ("letter-case",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(lambda text: re.sub("[A-Z]+", lambda run: run[0].lower(), text))
