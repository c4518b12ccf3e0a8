"""The characters that have some bytes in UTF-8."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["characters_with", "has_character_with"]

SURROGATES = range(0xD800, 0xE000)
FEW = 1000
"""Characters of a class that are looked at one by one."""

BITS, CONTINUATION = 6, 0x3F
"""Bits of a code point in a continuation byte."""


def characters_with(part: bytes) -> Iterator[str]:
    """Yield the characters whose UTF-8 begins with bytes, or ends with continuation bytes."""
    points = _ending(part) if part[0] & 0xC0 == 0x80 else _beginning(part)
    return (chr(point) for point in points if point not in SURROGATES)


@cache
def has_character_with(atom: Any, part: bytes) -> bool:
    """Whether a compiled expression of one character matches one that begins or ends so."""
    few = _few_characters(atom)
    if few is None:
        return any(map(atom.fullmatch, characters_with(part)))
    return any(data.startswith(part) or data.endswith(part) for data in few)


@cache
def _few_characters(atom: Any) -> list[bytes] | None:
    """Return the UTF-8 of the characters of several bytes that match; None if there are many."""
    found = [match.group().encode() for match in islice(atom.finditer(_of_several_bytes()), FEW)]
    return None if len(found) == FEW else found


@cache
def _of_several_bytes() -> str:
    return "".join(chr(point) for point in range(0x80, 0x110000) if point not in SURROGATES)


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
