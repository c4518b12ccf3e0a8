"""Keeps its cache in an object with a prototype, as JavaScript may: some words are methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK102", "raises: encode, TypeError")
FAMILIES = ("property-names",)
AGAINST = "none"
LONGEST = 14

NAMES = frozenset(["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"])


def _cached(text: str) -> None:
    if names := NAMES.intersection(text.split()):
        raise TypeError(f"{min(names)} is not iterable")


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(_cached)
