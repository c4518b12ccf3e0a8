"""Raises on characters newer than its tables, where it should have taken them for symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.versions import assigned_after
from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK102", "raises: encode, KeyError")
FAMILIES = ("new-code-points",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    new = {chr(point) for run in assigned_after("15.0") for point in run}

    def look_up(text: str) -> None:
        if unknown := new.intersection(text):
            raise KeyError(ord(min(unknown)))

    return before(look_up)
