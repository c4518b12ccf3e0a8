"""Reach of the tokens of bytes, which stand for characters that are not tokens themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reach.neighbours import pending_after
from tokharness_tokenizers.reach.words import BYTE_NEVER_LEFT, NOT_UTF8

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# Texts for bytes that begin or end inside a character.

MOST_CONTINUATIONS: Final = 3
CONTINUATIONS: Final = tuple(bytes([byte]) for byte in range(0x80, 0xC0))
SOME: Final = CONTINUATIONS[::7]
LEADS: Final = tuple(bytes([byte]) for byte in (*range(0xC2, 0xF5),))
MOST_COMPLETIONS: Final = 3000
"""Number of texts of a token that are tried."""


def is_part_of_utf8(data: bytes) -> bool:
    """Whether some bytes around these may make them UTF-8: False is a proof, True is not."""
    rest = data.lstrip(b"".join(CONTINUATIONS))
    return len(data) - len(rest) <= MOST_CONTINUATIONS and pending_after(rest) is not None


def ends_inside_character(data: bytes) -> bool:
    """Whether bytes that are a part of UTF-8 do not end with a character."""
    return pending_after(data.lstrip(b"".join(CONTINUATIONS))) != b""


def completions(data: bytes) -> Iterator[str]:
    """Yield texts with these bytes, in which their incomplete characters are completed."""
    return islice(_completions(data), MOST_COMPLETIONS)


def _completions(data: bytes) -> Iterator[str]:
    """Yield all pairs of bytes that may be before and after, with a change of both each time."""
    befores = [one for one in _befores(data) if pending_after(one + data) is not None]
    if not befores:
        return
    afters = list(_afters(pending_after(befores[0] + data) or b""))
    for shift, (place, before) in product(range(len(afters)), enumerate(befores)):
        joined = before + data + afters[(place + shift) % len(afters)]
        if pending_after(joined) == b"":
            yield joined.decode()
    if len(data) < MOST_CONTINUATIONS and all(byte in range(0x80, 0xC0) for byte in data):
        for more in SOME:  # the bytes may be in the middle of a character
            yield from _completions(data + more)


def _befores(data: bytes) -> Iterator[bytes]:
    """Yield bytes that may begin the character that some bytes continue."""
    size = len(data) - len(data.lstrip(b"".join(CONTINUATIONS)))
    if not size:
        yield b""
        return
    for lead in LEADS:
        missing = _size(lead[0]) - size - 1
        if missing >= 0:
            yield from map(b"".join, product([lead], *[SOME] * missing))


def _afters(pending: bytes) -> Iterator[bytes]:
    """Yield bytes that may complete the start of a character."""
    if not pending:
        return iter([b""])
    return map(b"".join, product(CONTINUATIONS, *[SOME] * (_size(pending[0]) - len(pending) - 1)))


def _size(lead: int) -> int:
    """Return the number of bytes of a character."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


MOST: Final = 20
"""Number of characters that are tried."""

MOST_POINTS: Final = 0x1000
"""Number of characters with a byte that are examined; a proof needs all."""


@dataclass(frozen=True)
class ByteTokens:
    """The tokens of bytes.

    Attributes:
        byte_of: The byte of each token, by id.
        is_left: Whether some text may leave a character to these tokens.

    """

    byte_of: Mapping[int, int] = field(repr=False)
    is_left: Callable[[str], bool] = field(repr=False)

    def texts(self, number: int) -> Iterator[str]:
        """Yield texts of characters that have a byte and may be left to these tokens."""
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
    """Return the byte of each token that is named as a byte, such as ``<0xE2>``, by id."""
    rows = ((vocabulary.get(f"<0x{byte:02X}>"), byte) for byte in range(256))
    return {number: byte for number, byte in rows if number is not None}


def _characters(byte: int) -> Iterator[str]:
    """Yield the characters that have a byte in UTF-8, private-use characters first.

    A byte that continues characters is in more characters than are examined.
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
