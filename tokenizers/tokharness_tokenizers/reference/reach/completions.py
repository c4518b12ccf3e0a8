"""Texts for bytes that begin or end inside a character."""

from __future__ import annotations

from itertools import chain, islice, product
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.reach.neighbours import pending_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["completions", "ends_inside_character", "is_part_of_utf8"]

CONTINUATIONS: Final = tuple(bytes([byte]) for byte in range(0x80, 0xC0))
SOME: Final = CONTINUATIONS[::7]
LEADS: Final = tuple(bytes([byte]) for byte in (*range(0xC2, 0xF5),))
MOST_BEFORE: Final = 300
MOST: Final = 3000
"""Texts of one token that are tried."""


def is_part_of_utf8(data: bytes) -> bool:
    """Whether some bytes around these may make them UTF-8: False is a proof, True is not."""
    rest = data.lstrip(b"".join(CONTINUATIONS))
    return len(data) - len(rest) <= 3 and pending_after(rest) is not None


def ends_inside_character(data: bytes) -> bool:
    """Whether bytes that are a part of UTF-8 do not end with a character."""
    return pending_after(data.lstrip(b"".join(CONTINUATIONS))) != b""


def completions(data: bytes) -> Iterator[str]:
    """Yield texts with some bytes, with those characters completed that they have a part of."""
    return islice(_completions(data), MOST)


def _completions(data: bytes) -> Iterator[str]:
    for before in _befores(data):
        pending = pending_after(before + data)
        if pending is None:
            continue
        for after in _afters(pending):
            if pending_after(before + data + after) == b"":
                yield (before + data + after).decode()


def _befores(data: bytes) -> Iterable[bytes]:
    if data[:1] not in CONTINUATIONS:
        return [b""]
    found = map(b"".join, chain(product(LEADS), product(LEADS, SOME), product(LEADS, SOME, SOME)))
    return islice(found, MOST_BEFORE)


def _afters(pending: bytes) -> Iterator[bytes]:
    """Yield bytes that may complete the start of a character."""
    if not pending:
        return iter([b""])
    size = 2 if pending[0] < 0xE0 else 3 if pending[0] < 0xF0 else 4
    return map(b"".join, product(CONTINUATIONS, *[SOME] * (size - len(pending) - 1)))
