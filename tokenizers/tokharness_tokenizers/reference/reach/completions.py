"""Texts for bytes that begin or end inside a character."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.reach.neighbours import pending_after

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["completions", "ends_inside_character", "is_part_of_utf8"]

MOST_CONTINUATIONS: Final = 3
CONTINUATIONS: Final = tuple(bytes([byte]) for byte in range(0x80, 0xC0))
SOME: Final = CONTINUATIONS[::7]
LEADS: Final = tuple(bytes([byte]) for byte in (*range(0xC2, 0xF5),))
MOST: Final = 3000
"""Texts of one token that are tried."""


def is_part_of_utf8(data: bytes) -> bool:
    """Whether some bytes around these may make them UTF-8: False is a proof, True is not."""
    rest = data.lstrip(b"".join(CONTINUATIONS))
    return len(data) - len(rest) <= MOST_CONTINUATIONS and pending_after(rest) is not None


def ends_inside_character(data: bytes) -> bool:
    """Whether bytes that are a part of UTF-8 do not end with a character."""
    return pending_after(data.lstrip(b"".join(CONTINUATIONS))) != b""


def completions(data: bytes) -> Iterator[str]:
    """Yield texts with some bytes, with those characters completed that they have a part of."""
    return islice(_completions(data), MOST)


def _completions(data: bytes) -> Iterator[str]:
    """Yield all pairs of what may be before and behind, each time another one of both."""
    befores = [one for one in _befores(data) if pending_after(one + data) is not None]
    if not befores:
        return
    afters = list(_afters(pending_after(befores[0] + data) or b""))
    for shift, (place, before) in product(range(len(afters)), enumerate(befores)):
        joined = before + data + afters[(place + shift) % len(afters)]
        if pending_after(joined) == b"":
            yield joined.decode()
    if len(data) < MOST_CONTINUATIONS and all(byte in range(0x80, 0xC0) for byte in data):
        for more in SOME:  # it may be in the middle of a character
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
