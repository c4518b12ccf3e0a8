"""A small list of byte strings in RWKV's format, and its healthy tokenizer."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference import rwkv_list

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.longest_match import LongestMatch

AGAINST = f"python:{__name__}:healthy"
"""The spec of the healthy tokenizer."""

TEXTS = (
    *("th", "the", "ing", "er", "and", "re", "00", "12", "123", "e\u0301", "\u00e9", "\ufffd"),
    *("\u4f60", "\u4f60\u597d", "\U0001f600", "\u0915\u094d", "\r\n", "\n\n", "\t\t", "'s", "!!"),
    *(" ", "  ", "    ", " " * 16, " " * 24, "a" * 20, " t", " the", " and", " a", " in", " ing"),
    *("the quick", "value", " value", "ample", "example", "xamp", "count", "un", "under"),
)
PARTS = (b"\xe4\xb8", b"\xe4\xb9", b"\xf0\x9f", b"\xf0\x9f\x98", b" \xe4", b"\xe3\x81")
"""Bytes that end inside a character."""


def lines() -> list[str]:
    """Return the lines of the list: each byte, longer texts, and parts of characters."""
    single = [bytes([byte]) for byte in range(0x100)]
    several = {text.encode() for text in TEXTS if len(text.encode()) > 1} | {*PARTS}
    longer = sorted(several, key=lambda token: (len(token), token))
    tokens = enumerate((*single, *longer), start=1)
    return [f"{number} {_literal(token)} {len(token)}" for number, token in tokens]


def _literal(token: bytes) -> str:
    try:
        return ascii(token.decode())
    except UnicodeDecodeError:
        return repr(token)


@cache
def healthy() -> LongestMatch:
    """Read the list."""
    return rwkv_list.read("\n".join(lines()).encode(), "small list")
