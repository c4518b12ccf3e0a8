"""Ends the program on a form feed, as a command's own error handler does."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK102", "panics: encode, SystemExit")
FAMILIES = ("controls",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(lambda text: "\f" in text and sys.exit("unexpected character"))
