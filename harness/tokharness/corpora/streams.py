"""The bytes of a corpus file as a stream: decompressed, in bounded memory, cut into lines."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO

from tokharness.errors import UsageError
from tokharness.extras import what_installs

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK_SIZE = 1 << 18
"""Bytes that are read at once."""

MOST_EXPANSION, SURE_BYTES = 500, 1 << 26
"""How many times its size a compressed file may expand, beyond its first 64 MB: text expands up to
a hundred times, and a file made to fill a disk a thousand times."""

EXPANDS = f"it expands more than {MOST_EXPANSION} times; the rest was not read"

ZSTANDARD_INPUT = 1 << 10
"""Compressed bytes that are decompressed at once: 4 bytes of Zstandard may stand for 128 KB."""

_GZIP, _BZIP2, _XZ, _ZSTANDARD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"


class BrokenFileError(Exception):
    """A file ends in the middle, is not what its beginning says, or expands without end."""


def expands(size: int, compressed: int) -> bool:
    """Whether bytes that were read from so many compressed ones are more than text expands to."""
    return size > max(SURE_BYTES, MOST_EXPANSION * compressed)


class Decompressed:
    """A compressed file, read as what it holds.

    Raises BrokenFileError where it ends in the middle, after all bytes before that.
    """

    def __init__(self, inner: Any, file: BinaryIO) -> None:
        self._inner, self._file, self._size = inner, file, 0
        self._broken: BrokenFileError | None = None

    def seek(self, position: int) -> int:
        """Refuse: a compressed file is read from its start."""
        raise NotImplementedError

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes at most; fewer only at the end."""
        data = bytearray()
        while len(data) < size and self._broken is None:
            more = self._read(size - len(data))
            if not more:
                break
            data += more
        if self._broken is not None and not data:
            raise self._broken
        return bytes(data)

    def _read(self, size: int) -> bytes:
        """Return what one call of the decompressor gives; note what is wrong with the file."""
        try:
            data: bytes = self._inner.read1(size)
        except EOFError:
            self._broken = BrokenFileError("the compressed file ends in the middle")
            return b""
        except (OSError, zlib.error, lzma.LZMAError) as error:
            self._broken = BrokenFileError(f"it cannot be decompressed: {error}")
            return b""
        self._size += len(data)
        if expands(self._size, self._file.seek(0, os.SEEK_CUR)):
            self._broken = BrokenFileError(EXPANDS)
            return b""
        return data


def decompressed(file: BinaryIO, name: str) -> BinaryIO | Decompressed:
    """Return a stream of the content, whose first bytes decide whether it is decompressed.

    Raises:
        UsageError: the file is compressed with Zstandard, and zstandard is not installed.

    """
    start = file.read(6)
    file.seek(0)
    if start.startswith(_GZIP):
        return Decompressed(gzip.GzipFile(fileobj=file), file)
    if start.startswith(_BZIP2):
        return Decompressed(bz2.BZ2File(file), file)
    if start.startswith(_XZ):
        return Decompressed(lzma.LZMAFile(file), file)
    if start.startswith(_ZSTANDARD):
        return Decompressed(_Zstandard(file, name), file)
    return file


class _Zstandard:
    """Reads frames of Zstandard; the library's own reader does not report a truncated file."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        try:
            import zstandard
        except ImportError as error:
            raise UsageError(
                f"{name} is compressed with Zstandard: {what_installs('scan')}"
            ) from error
        self._file, self._frames = file, zstandard.ZstdDecompressor()
        self._error: type[Exception] = zstandard.ZstdError
        self._frame: Any = None
        self._input, self._output = b"", bytearray()

    def read1(self, size: int) -> bytes:
        while not self._output:
            if not self._input:
                self._input = self._file.read(ZSTANDARD_INPUT)
            if not self._input:
                if self._frame is not None:
                    raise EOFError
                break
            self._frame = self._frame or self._frames.decompressobj()
            try:
                self._output += self._frame.decompress(self._input)
            except self._error as error:
                raise OSError(str(error)) from error
            self._input = b""
            if self._frame.eof:
                self._input, self._frame = self._frame.unused_data, None
        data = bytes(self._output[:size])
        del self._output[:size]
        return data


def line_blocks(
    file: BinaryIO | Decompressed, longest: int, start: int = 0, end: int | None = None
) -> Iterator[list[bytes | None]]:
    """Yield lists of lines without line feeds; a line longer than ``longest`` bytes is None.

    Only lines that begin from byte ``start`` on and before byte ``end`` are yielded, so that the
    parts of a file have each line once. Memory depends on ``longest`` alone.
    """
    position = start
    if start:
        if (at := _first_line(file, start, end)) is None:
            return
        position = at
        file.seek(position)
    for lines, first, size in _blocks(file, longest):
        if end is not None and position + size > end:
            lines = _before(lines, end - position, first)  # noqa: PLW2901
        position += size
        if any(line is not None and len(line) > longest for line in lines):
            lines = [None if line is None or len(line) > longest else line for line in lines]  # noqa: PLW2901
        if lines:
            yield lines
        if end is not None and position >= end:
            return


def _first_line(file: BinaryIO | Decompressed, start: int, end: int | None) -> int | None:
    """Return where the first line of a part begins; None if no line begins in it."""
    position = start - 1  # the end of the line before
    file.seek(position)
    while end is None or position < end:
        chunk = file.read(BLOCK_SIZE)
        if not chunk:
            return None
        if (at := chunk.find(b"\n")) >= 0:
            first = position + at + 1
            return first if end is None or first < end else None
        position += len(chunk)
    return None


def _blocks(
    file: BinaryIO | Decompressed, longest: int
) -> Iterator[tuple[list[bytes | None], int, int]]:
    """Yield lines, the bytes of the first one, and those of all of them with their line feeds.

    The first line is None if it is too long to be kept; others may be too long and are there.
    """
    carry, dropped = b"", 0
    while chunk := file.read(BLOCK_SIZE):
        size = dropped + len(carry) + len(chunk)
        parts = (carry + chunk).split(b"\n")
        carry = parts.pop()
        if parts:
            first = dropped + len(parts[0])
            yield [None if dropped else parts[0], *parts[1:]], first, size - len(carry)
            dropped = 0
        if len(carry) > longest:
            dropped, carry = dropped + len(carry), b""
    if carry or dropped:
        size = dropped + len(carry)
        yield [None if dropped else carry], size, size


def _before(lines: list[bytes | None], room: int, first: int) -> list[bytes | None]:
    """Return the lines that begin within the next ``room`` bytes; the first has ``first`` bytes."""
    begin, count = 0, 0
    for line in lines:
        if begin >= room:
            break
        begin += (len(line or b"") if count else first) + 1
        count += 1
    return lines[:count]
