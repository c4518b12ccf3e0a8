"""Texts that may hold a token: its own text in contexts, and completed characters."""

from __future__ import annotations

from functools import cache
from itertools import chain, islice, product
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import decode_all
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["texts_around", "texts_with_neighbours"]

CONTEXTS = (
    *(("x", ""), ("", "x"), (" ", ""), ("", " x"), ("\n", ""), ("", "\n"), ("1", ""), ("", "1")),
    *(("!", ""), ("", "!"), ("a", "a"), ("\u4e2d", ""), ("", "\u4e2d"), ("a ", " a"), ("", "'s")),
    *(("X", ""), ("", "A"), ("\ue000", "\ue000")),
)
"""What stands before and after the text of a token."""

NEIGHBOURS = ("a", "x", " a", "1", "!", " ", "\n", "\u4e2d", "\u00e9", "\U0001f600", "\ue000")

ALIKE, MOST_TEXTS = 2, 96
"""Characters that complete a part of one in much the same way, and texts that are tried."""

COMPLETING = (
    *(range(0x80, 0xD800), range(0xE000, 0x10000), range(0x1F300, 0x1FB00)),
    *(range(0x10000, 0x10400), range(0x20000, 0x20400), (0x40000, 0x80000, 0xC0000, 0x100000)),
)
"""The code points that complete parts of characters."""


def texts_around(own: str | bytes) -> list[str]:
    """Return texts that have the text or the bytes of a token."""
    if isinstance(own, str):
        return [before + own + after for before, after in CONTEXTS]
    texts = list(islice(_completed(own), MOST_TEXTS))
    return [*texts, *(f" {text}" for text in texts), *(f"a{text}" for text in texts)]


def texts_with_neighbours(subject: Subject, numbers: Sequence[int]) -> list[list[str]]:
    """Return texts of each id between others, as the target decodes them.

    A piece of a word gives its text only behind another one, without the marks of the format.
    """
    unknown = subject.target.unknown_id
    rows = [list(subject.encode(text) or ()) for text in NEIGHBOURS]
    neighbours = [*([ids[-1]] for ids in rows if ids and ids[-1] != unknown), []]
    sequences = [[*before, number] for number in numbers for before in neighbours]
    sequences += [
        [*before, number, *after]
        for number in numbers
        for before, after in zip(neighbours, neighbours[::-1], strict=True)
    ]
    texts = decode_all(sequences, subject)
    found: dict[int, list[str]] = {number: [] for number in numbers}
    size, many = len(neighbours), len(numbers)
    for place, text in enumerate(texts):
        if not isinstance(text, Raised):
            found[numbers[place // size % many]].append(text)
    return [found[number] for number in numbers]


def _completed(data: bytes) -> Iterator[str]:
    """Yield texts that complete the characters at the start and the end of bytes."""
    size = next((at for at, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))
    starts = _starts().get(data[:size], ()) if size else (b"",)
    whole = data[size:].decode("utf-8", "ignore").encode()
    ends = _ends().get(data[size + len(whole) :], ()) if data[size:] != whole else (b"",)
    for start, end in product(starts, ends):
        try:
            yield (start + data + end).decode()
        except UnicodeDecodeError:
            continue


@cache
def _starts() -> Mapping[bytes, list[bytes]]:
    """Return what may stand before continuation bytes at the end of a character."""
    found: dict[bytes, list[bytes]] = {}
    for data in _characters():
        for size in range(1, len(data)):
            _add(found, data[-size:], data[:-size])
    return found


@cache
def _ends() -> Mapping[bytes, list[bytes]]:
    """Return what may stand behind the bytes at the start of a character."""
    found: dict[bytes, list[bytes]] = {}
    for data in _characters():
        for size in range(1, len(data)):
            _add(found, data[:size], data[size:])
    return found


def _characters() -> Iterator[bytes]:
    return (chr(point).encode() for point in chain.from_iterable(COMPLETING))


def _add(found: dict[bytes, list[bytes]], part: bytes, rest: bytes) -> None:
    rests = found.setdefault(part, [])
    if [one[0] for one in rests].count(rest[0]) < ALIKE:
        rests.append(rest)
