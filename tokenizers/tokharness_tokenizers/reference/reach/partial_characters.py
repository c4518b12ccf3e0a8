"""The characters that have some bytes in UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["characters_with"]

SURROGATES = range(0xD800, 0xE000)
BITS, CONTINUATION = 6, 0x3F
"""Bits of a code point in a continuation byte."""


def characters_with(part: bytes) -> Iterator[str]:
    """Yield the characters whose UTF-8 begins with bytes, or ends with continuation bytes."""
    points = _ending(part) if part[0] & 0xC0 == 0x80 else _beginning(part)
    return (chr(point) for point in points if point not in SURROGATES)


def _beginning(part: bytes) -> range:
    lead = part[0]
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if lead in (0xC0, 0xC1) or lead > 0xF4:
        return range(0)
    value = lead & (0x7F >> size)
    for byte in part[1:]:
        value = value << BITS | byte & CONTINUATION
    missing = BITS * (size - len(part))
    least = {2: 0x80, 3: 0x800, 4: 0x10000}[size]
    return range(max(value << missing, least), min((value + 1) << missing, 0x110000))


def _ending(part: bytes) -> range:
    value = 0
    for byte in part:
        value = value << BITS | byte & CONTINUATION
    step = 1 << BITS * len(part)
    least = {1: 0x80, 2: 0x800, 3: 0x10000}.get(len(part), 0x110000)
    return range(value + (least - value + step - 1) // step * step, 0x110000, step)
