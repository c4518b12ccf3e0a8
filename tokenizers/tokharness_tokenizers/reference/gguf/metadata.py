r"""The metadata of a GGUF file: keys and values before the tensors, which are not read.

Source: ``docs/gguf.md`` of ggml. A file begins with ``GGUF``, a version, the numbers of tensors and
of keys, and the keys with their values. Version 3 may be big-endian: its version is then the number
3 in this byte order. Strings are UTF-8 by specification; an invalid byte is written as ``\xff``
here.
"""

from __future__ import annotations

import os
import struct
from typing import IO, TYPE_CHECKING, Final, TypeAlias

from tokharness.regular_files import open_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Value: TypeAlias = "int | float | bool | str | tuple[Value, ...]"
Metadata: TypeAlias = "dict[str, Value]"

MAGIC: Final = b"GGUF"
VERSIONS: Final = (2, 3)
NUMBERS: Final = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
"""The format in :mod:`struct` of each type of a fixed size."""
STRING, ARRAY = 8, 9
LEAST: Final = {STRING: 8, ARRAY: 12}
"""The least size in bytes of a value of the other types."""
MOST_BYTES: Final = 1 << 26
"""Most bytes of metadata that are read; the tensors after them may have a terabyte."""
MOST: Final = {"texts": 1 << 21, "numbers": 1 << 23}
"""Most items of arrays that are read; a vocabulary of a quarter million has 800,000 texts.

A text takes a hundred bytes of memory, and a number up to 36.
"""
MOST_TENSORS: Final = 1 << 20
"""Most tensors of a file; the largest models have some thousands."""
DEEPEST: Final = 8
"""Deepest nesting of arrays that are read."""


def load(path: Path) -> Metadata:
    """Read the metadata of a file; raises OSError, or ValueError if it is damaged."""
    with open_file(path) as file:
        return read(file)


def read(file: IO[bytes]) -> Metadata:
    """Read metadata.

    Raises:
        ValueError: it is damaged, or of an unknown version; the message says what and where.

    """
    reader = _Reader(file)
    if reader.bytes(4, "the four letters GGUF") != MAGIC:
        raise ValueError("this is no GGUF file: it does not begin with GGUF")
    version = reader.number("I", "the version")
    if version & 0xFFFF == 0 and version:
        reader.order = ">"
        version >>= 24
    if version not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        raise ValueError(f"this is version {version} of GGUF, and {known} are known")
    tensors = reader.number("Q", "the number of tensors")
    if tensors > MOST_TENSORS:
        raise ValueError(f"byte 8: {tensors:,} tensors, and a file has at most {MOST_TENSORS:,}")
    size = int(reader.number("Q", "the number of keys"))
    reader.check(size, 13, "the keys")
    found: Metadata = {}
    for _ in range(size):
        at = reader.at
        key = reader.string("a key")
        if key in found:
            raise ValueError(f"byte {at}: the key {key!r:.80} is there twice")
        found[key] = reader.value(int(reader.number("I", f"the type of {key!r:.80}")), key)
    return found


class _Reader:
    """A file of a known size, and the place in it."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.at = 0
        self.items = dict.fromkeys(MOST, 0)
        self.size = file.seek(0, os.SEEK_END)
        self.order = "<"
        file.seek(0)

    def check(self, number: int, size: int, what: str) -> None:
        """Raise ValueError if ``number`` values of ``size`` bytes do not fit into the file."""
        left, needed = self.size - self.at, number * size
        if needed <= left and self.at + needed <= MOST_BYTES:
            return
        why = f"{left:,} are left (truncated?)"
        if needed <= left:
            why = f"at most {MOST_BYTES:,} bytes of metadata are read"
        raise ValueError(f"byte {self.at}: {what}: {needed:,} bytes are needed, and {why}")

    def count(self, kind: str, size: int, what: str) -> None:
        """Raise ValueError if all arrays have too many items of a kind."""
        self.items[kind] += size
        if self.items[kind] > MOST[kind]:
            raise ValueError(
                f"byte {self.at}: {what}: more than {MOST[kind]:,} {kind} are not read"
            )

    def bytes(self, size: int, what: str) -> bytes:
        self.check(size, 1, what)
        self.at += size
        return self.file.read(size)

    def number(self, code: str, what: str) -> int:
        numbers: tuple[int, ...] = self.numbers(code, 1, what)
        return numbers[0]

    def numbers(self, code: str, size: int, what: str) -> tuple[int, ...]:
        layout = struct.calcsize(self.order + code) * size
        self.check(layout, 1, what)
        return struct.unpack(f"{self.order}{size}{code}", self.bytes(layout, what))

    def string(self, what: str) -> str:
        size = self.number("Q", f"the length of {what}")
        return self.bytes(size, what).decode("utf-8", "backslashreplace")

    def value(self, kind: int, key: str, depth: int = 0) -> Value:
        what = f"the value of {key!r:.80}"
        if kind in NUMBERS:
            return self.number(NUMBERS[kind], what)
        if kind == STRING:
            return self.string(what)
        if kind != ARRAY or depth == DEEPEST:
            raise ValueError(f"byte {self.at}: {what} has the unknown type {kind}")
        inner, size = self.number("I", what), self.number("Q", what)
        if inner in NUMBERS:
            self.check(size, struct.calcsize(f"<{NUMBERS[inner]}"), what)
            self.count("numbers", size, what)
            return self.numbers(NUMBERS[inner], size, what)
        if inner not in LEAST:
            raise ValueError(f"byte {self.at}: {what} has items of the unknown type {inner}")
        self.check(size, LEAST[inner], what)
        self.count("texts", size, what)
        if inner == STRING:
            return tuple(self.strings(size, what))
        return tuple(self.value(inner, key, depth + 1) for _ in range(size))

    def strings(self, size: int, what: str) -> Iterator[str]:
        length_of = struct.Struct(f"{self.order}Q").unpack
        for _ in range(size):
            (length,) = length_of(self.bytes(8, what))
            yield self.bytes(length, what).decode("utf-8", "backslashreplace")
