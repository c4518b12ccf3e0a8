"""Which method of a tokenizer plain text goes to: one function decides for every kind of target."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

PLAIN_ENTRY_POINTS = ("encode_ordinary", "encode")
"""Entry points for plain, untrusted text; the first that a tokenizer has is used."""


def plain_entry_point(methods: Container[str]) -> str:
    """Return the name of the entry point for plain text, given the methods of a tokenizer."""
    return next((name for name in PLAIN_ENTRY_POINTS if name in methods), "encode")
