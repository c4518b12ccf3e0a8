"""Aborts on U+E0001, for which a table of joining types has no entry."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK104", "crash: encode, SIGABRT")
FAMILIES = ("zero-width",)
AGAINST = "none"
DEADLY = True


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(lambda text: "\U000e0001" in text and os.abort())
