"""The bytes that may stand before and after a token that has a part of a character.

A token may stand next to another token only if the two are the segmentation of their joined bytes.
So the characters at the ends of a token can only be completed from tokens that may stand there; if
no way completes them, no text holds the token.
"""

from __future__ import annotations

import codecs
from collections import deque
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

Segment: TypeAlias = "Callable[[bytes], Sequence[int]]"

MOST_CONTINUATIONS = 3
"""Continuation bytes of a character."""

LEADS_OF_PLANES = tuple(bytes([byte]) for byte in range(0xF1, 0xF5))
"""The first bytes of the characters from U+40000 on."""

NOT_HELD = object()

_utf8 = codecs.getincrementaldecoder("utf-8")


@lru_cache(maxsize=1 << 16)
def pending_after(data: bytes) -> bytes | None:
    """Return the bytes of a character that is not complete at the end; None if it is not UTF-8."""
    decoder = _utf8()
    try:
        decoder.decode(data)
    except UnicodeDecodeError:
        return None
    return decoder.getstate()[0]


def continuations(data: bytes) -> int:
    """Return the number of continuation bytes at the start."""
    return next((at for at, byte in enumerate(data) if not _is_continuation(byte)), len(data))


def _is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _may_be_unfinished(data: bytes) -> bool:
    """Whether the last character may lack bytes; fast, as most tokens end in whole characters."""
    if not data or data[-1] < 0x80:
        return False
    for at in range(1, min(len(data), MOST_CONTINUATIONS) + 1):
        if not _is_continuation(lead := data[-at]):
            return at < (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4)
    return False


@dataclass(frozen=True)
class Neighbours:
    """The tokens that may stand next to each other.

    Attributes:
        tokens: The bytes of each token, by id.
        segment: Returns the ids of bytes within one pre-token.
        holds: Whether a pre-token may have a text as a part.
        state: Returns a value that decides which further text ``holds`` after a text.
        goes_on: Whether a character that begins with some bytes may be after a text.

    """

    tokens: Mapping[int, bytes]
    segment: Segment
    holds: Callable[[str], bool]
    state: Callable[[str], Hashable]
    goes_on: Callable[[str, bytes], bool]
    _next_states: dict[tuple[Hashable, str], Hashable] = field(default_factory=dict, repr=False)

    @cached_property
    def _inside(self) -> list[tuple[int, bytes]]:
        """The tokens that begin inside a character, short ones first."""
        rows = (row for row in self.tokens.items() if row[1] and _is_continuation(row[1][0]))
        return sorted(rows, key=lambda row: (len(row[1]), row[1]))

    @cached_property
    def _unfinished(self) -> dict[bytes, list[int]]:
        """The tokens that end inside a character, by their bytes of the character."""
        found: dict[bytes, list[int]] = {}
        rows = (row for row in self.tokens.items() if _may_be_unfinished(row[1]))
        for number, data in sorted(rows, key=lambda row: (len(row[1]), row[1])):
            start = continuations(data)
            if start < len(data) and (pending := pending_after(data[start:])):
                found.setdefault(pending, []).append(number)
        return found

    def may_be_adjacent(self, left: int, right: int) -> bool:
        """Whether two tokens are the segmentation of their bytes."""
        data = self.tokens[left] + self.tokens[right]
        return list(self.segment(data)) == [left, right]

    def after(self, number: int, data: bytes, pending: bytes) -> Iterator[bytes]:
        """Yield bytes that complete the pending character after a token; b"" if nothing is pending.

        ``data`` are the bytes up to the end of the token, which begin with a character.
        """
        text = data.decode("utf-8", "ignore")
        # Each such lead byte begins a quarter of a million characters; few texts can precede one of
        # them.
        if text and pending in LEADS_OF_PLANES and not self.goes_on(text, pending):
            return
        yield from self._after(number, text, pending, set())

    def _after(
        self, number: int, text: str, pending: bytes, seen: set[tuple[int, bytes, Hashable]]
    ) -> Iterator[bytes]:
        if not pending:
            yield b""
            return
        at = self.state(text)
        for other, its_data in self._inside:
            rest = pending_after(pending + its_data)
            if rest is None:
                continue
            added = (pending + its_data).decode("utf-8", "ignore")
            then = self._next_state(at, text, added)
            if then is NOT_HELD or (key := (other, rest, then)) in seen:
                continue
            if not self.may_be_adjacent(number, other):
                continue
            if rest:  # a complete character is a witness each time
                seen.add(key)
            for more in self._after(other, text + added, rest, seen):
                yield its_data + more

    def _next_state(self, at: Hashable, text: str, added: str) -> Hashable:
        """Return the state of a text with more text after it, ``NOT_HELD`` if no pre-token has it.

        ``at`` is the state of the text and decides the result, which is computed once for all texts
        of a state.
        """
        if (at, added) not in self._next_states:
            joined = text + added
            then = self.state(joined) if self.holds(joined) else NOT_HELD
            self._next_states[at, added] = then
        return self._next_states[at, added]

    def before(self, number: int) -> Iterator[tuple[bytes, bytes]]:
        """Yield bytes before a token that begins inside a character, and the bytes it completes.

        The bytes begin with a character.
        """
        yield from self._before(number, self.tokens[number], frozenset({number}))

    def _before(
        self, number: int, data: bytes, path: frozenset[int]
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield the bytes before a token; ``data`` are its bytes and the bytes after it.

        The bytes come in turn from the tokens that begin each kind of character.
        """
        ways = [
            self._from(others, pending, number, path)
            for pending, others in self._unfinished.items()
            if pending_after(pending + data) is not None
        ]
        if continuations(data) < MOST_CONTINUATIONS:
            ways.append(self._within(number, data, path))
        turn = deque(ways)
        while turn:
            one = next(turn[0], None)
            if one is None:
                turn.popleft()
                continue
            turn.rotate(-1)
            yield one

    def _from(
        self, others: Sequence[int], pending: bytes, number: int, path: frozenset[int]
    ) -> Iterator[tuple[bytes, bytes]]:
        for other in others:
            if self.may_be_adjacent(other, number):
                yield from ((more, pending) for more in self._starts(other, path))

    def _starts(self, number: int, path: frozenset[int]) -> Iterator[bytes]:
        """Yield the bytes of a token, with the bytes before it if it begins inside a character."""
        data = self.tokens[number]
        if not _is_continuation(data[0]):
            yield data
        elif number not in path:
            befores = self._before(number, data, path | {number})
            yield from (more + data for more, _ in befores)

    def _within(
        self, number: int, data: bytes, path: frozenset[int]
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield the bytes before a token whose first character an earlier token began."""
        for other, its_data in self._inside:
            size = len(its_data)
            if continuations(its_data) < size:
                continue
            if continuations(its_data + data) > MOST_CONTINUATIONS:
                continue
            if self.may_be_adjacent(other, number):
                for more, pending in self._before(other, its_data + data, path):
                    yield more + its_data, pending + its_data
