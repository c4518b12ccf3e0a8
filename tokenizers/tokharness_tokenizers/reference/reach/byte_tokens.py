"""Reach of the tokens of bytes, which stand for characters that are no tokens themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.reach.words import BYTE_NEVER_LEFT, NOT_UTF8

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["ByteTokens", "byte_names"]

MOST: Final = 20
"""Characters that are tried."""

MOST_POINTS: Final = 0x1000
"""Characters with a byte that are looked at; a proof needs all."""


@dataclass(frozen=True)
class ByteTokens:
    """The tokens of bytes.

    Attributes:
        byte_of: The byte of each, by id.
        is_left: Whether a character may be left for them in some text.

    """

    byte_of: Mapping[int, int] = field(repr=False)
    is_left: Callable[[str], bool] = field(repr=False)

    def texts(self, number: int) -> Iterator[str]:
        """Yield texts of characters that have a byte and may be left."""
        if number in self.byte_of:
            chars = filter(self._becomes_bytes, _characters(self.byte_of[number]))
            for char in islice(chars, MOST):
                yield from (char, f"a{char}", f"\n{char}\n")

    def reason(self, number: int) -> str:
        """Return why no character becomes a byte; "" if one may."""
        chars = list(islice(_characters(self.byte_of[number]), MOST_POINTS + 1))
        if not chars:
            return NOT_UTF8
        if len(chars) > MOST_POINTS or any(map(self._becomes_bytes, chars)):
            return ""
        return BYTE_NEVER_LEFT

    def _becomes_bytes(self, char: str) -> bool:
        return self._bytes.issuperset(char.encode()) and self.is_left(char)

    @cached_property
    def _bytes(self) -> frozenset[int]:
        return frozenset(self.byte_of.values())


def byte_names(vocabulary: Mapping[str, int]) -> dict[int, int]:
    """Return the byte of each token that is named as one, such as ``<0xE2>``, by id."""
    rows = ((vocabulary.get(f"<0x{byte:02X}>"), byte) for byte in range(256))
    return {number: byte for number, byte in rows if number is not None}


def _characters(byte: int) -> Iterator[str]:
    """Yield the characters that have a byte in UTF-8, those for private use first.

    Of a byte that continues characters there are more than are looked at.
    """
    if byte < 0x80:
        yield chr(byte)
    elif byte < 0xC0:
        points = range(0xE000 + byte - 0x80, 0xF900, 0x40)
        others = range(0x80 + byte - 0x80, 0xD800, 0x40)
        yield from map(chr, (*points, *others, *range(0x10000 + byte - 0x80, 0x110000, 0x40)))
    elif 0xC2 <= byte < 0xF5:
        yield from map(chr, _points(byte))


def _points(byte: int) -> range:
    """Return the code points of the characters that begin with a byte."""
    if byte < 0xE0:
        return range((byte & 0x1F) << 6, ((byte & 0x1F) + 1) << 6)
    if byte < 0xF0:
        end = 0xD800 if byte == 0xED else ((byte & 0x0F) + 1) << 12
        return range(max((byte & 0x0F) << 12, 0x800), end)
    return range(max((byte & 0x07) << 18, 0x10000), min(((byte & 0x07) + 1) << 18, 0x110000))
