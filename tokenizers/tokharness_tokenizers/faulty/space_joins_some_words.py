"""Joins the space to all words but those that begin with a y."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK301", "space stands alone")
FAMILIES = ()
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"[^\r\n\p{L}\p{N}]?[\p{Lu}", r" (?=[Yy])|[^\r\n\p{L}\p{N}]?[\p{Lu}"))
