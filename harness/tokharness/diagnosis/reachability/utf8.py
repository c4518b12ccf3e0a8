"""Bytes that occur in UTF-8."""

from __future__ import annotations

from tokharness.diagnosis.probes.id_sequences import is_utf8

__all__ = ["is_in_utf8"]

LONGEST_CHARACTER = 4
"""Most bytes that a character has in UTF-8."""

ENDS = (b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xa0\x80", b"\x90\x80\x80")
"""Any incomplete character is completed by one of these (Unicode Standard, table 3-7)."""


def is_in_utf8(data: bytes) -> bool:
    """Whether these bytes occur in a text; they may begin and end inside a character."""
    start = next((at for at, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))
    return start < LONGEST_CHARACTER and any(is_utf8(data[start:] + end) for end in ENDS)
