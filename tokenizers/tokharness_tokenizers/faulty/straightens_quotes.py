"""Straightens curly quotes: a contraction that was none becomes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+2018")
FAMILIES = ("contractions",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(
        lambda text: text.translate(str.maketrans("\u2018\u2019\u201c\u201d", "''\"\""))
    )
