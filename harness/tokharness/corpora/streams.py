"""The bytes of a corpus file as a stream: decompressed, in bounded memory, cut into lines."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from tokharness.errors import UsageError
from tokharness.extras import what_installs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BLOCK_SIZE = 1 << 18
"""Bytes that are read at once."""

MOST_EXPANSION, SURE_BYTES = 500, 1 << 26
"""How many times its size a compressed file may expand, beyond its first 64 MB: text expands up to
a hundred times, and a file made to fill a disk a thousand times."""

EXPANDS = f"it expands more than {MOST_EXPANSION} times; the rest was not read"

COMPRESSED_INPUT, ZSTANDARD_INPUT = 1 << 16, 1 << 10
"""Compressed bytes that are decompressed at once: 4 bytes of Zstandard may stand for 128 KB, and
its library has no limit for what it returns."""

HEAD_BYTES = 6
"""First bytes of a file, which say how it is compressed."""

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_is_bzip2 = re.compile(rb"BZh[1-9](?:1A|\x17r)").match
"""A first block, or the end of a file without blocks; a text may begin with the letters alone."""
_is_zstandard = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18").match
"""A frame, or one that is to be skipped, with which files begin whose frames are indexed."""


class BrokenFileError(Exception):
    """A file ends in the middle, is not what its beginning says, or expands without end."""


def expands(size: int, compressed: int) -> bool:
    """Whether bytes that were read from so many compressed ones are more than text expands to."""
    return size > max(SURE_BYTES, MOST_EXPANSION * compressed)


class Decompressed:
    """A compressed file of one or more streams, read as what they hold.

    Raises BrokenFileError where it ends in the middle or is damaged, after all bytes before that.
    The standard library's files end in silence at a second stream that is damaged.
    """

    def __init__(
        self, stream: Callable[[], Any], file: BinaryIO, *, input_size: int, padding: bytes
    ) -> None:
        self._new_stream, self._file = stream, file
        self._input_size, self._padding = input_size, padding
        self._stream: Any = None
        self._input, self._output = b"", b""
        self._compressed = self._size = 0
        self._broken: BrokenFileError | None = None

    def seek(self, position: int) -> int:
        """Refuse: a compressed file is read from its start."""
        raise NotImplementedError

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes at most; fewer only at the end."""
        data = bytearray()
        while len(data) < size and self._broken is None:
            if not self._output:
                self._output = self._more(size - len(data))
            if not self._output:
                break
            room = size - len(data)
            data += self._output[:room]
            self._output = self._output[room:]
        if self._broken is not None and not data:
            raise self._broken
        return bytes(data)

    def _more(self, size: int) -> bytes:
        """Return further bytes, about ``size`` if there is a limit; note what is wrong."""
        while True:
            if not self._input and getattr(self._stream, "needs_input", True):
                self._input = self._file.read(self._input_size)
                self._compressed += len(self._input)
                if not self._input:
                    if self._stream is not None:
                        self._broken = BrokenFileError("the compressed file ends in the middle")
                    return b""
            try:
                data = self._decompress(size)
            except (OSError, MemoryError, zlib.error, lzma.LZMAError) as error:
                words = str(error) or "it needs more memory than --memory-limit leaves"
                self._broken = BrokenFileError(f"it cannot be decompressed: {words}")
                return b""
            self._size += len(data)
            if expands(self._size, self._compressed):
                self._broken = BrokenFileError(EXPANDS)
                return b""
            if data:
                return data

    def _decompress(self, size: int) -> bytes:
        """Return what the current stream has for the input; a stream that ends is no longer it."""
        if self._stream is None:
            self._input = self._input.lstrip(self._padding)
            if not self._input:
                return b""
            self._stream = self._new_stream()
        data: bytes = self._stream.decompress(self._input, size)
        self._input = getattr(self._stream, "unconsumed_tail", b"")
        if self._stream.eof:
            self._input, self._stream = self._stream.unused_data, None
        return data


def is_compressed(head: bytes) -> bool:
    """Whether the first bytes of a file say that it is compressed."""
    return (
        head.startswith((_GZIP, _XZ))
        or _is_bzip2(head) is not None
        or _is_zstandard(head) is not None
    )


def decompressed(file: BinaryIO, name: str) -> BinaryIO | Decompressed:
    """Return a stream of the content, whose first bytes decide whether it is decompressed.

    Raises:
        UsageError: the file is compressed with Zstandard, and zstandard is not installed.

    """
    head = file.read(HEAD_BYTES)
    file.seek(0)
    stream: Callable[[], Any]
    padding, input_size = b"", COMPRESSED_INPUT
    if head.startswith(_GZIP):
        stream, padding = partial(zlib.decompressobj, wbits=16 + zlib.MAX_WBITS), b"\0"
    elif _is_bzip2(head):
        stream = bz2.BZ2Decompressor
    elif head.startswith(_XZ):
        stream, padding = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ), b"\0"
    elif _is_zstandard(head):
        stream, input_size = _zstandard(name), ZSTANDARD_INPUT
    else:
        return file
    return Decompressed(stream, file, input_size=input_size, padding=padding)


def _zstandard(name: str) -> Callable[[], Any]:
    try:
        import zstandard
    except ImportError as error:
        raise UsageError(f"{name} is compressed with Zstandard: {what_installs('scan')}") from error
    frames = zstandard.ZstdDecompressor()
    return partial(_Zstandard, frames, zstandard.ZstdError)


class _Zstandard:
    """A frame of Zstandard, with the methods of the standard library's decompressors."""

    def __init__(self, frames: Any, error: type[Exception]) -> None:
        self._frame, self._error = frames.decompressobj(), error

    def decompress(self, data: bytes, size: int) -> bytes:  # noqa: ARG002 - there is no limit
        try:
            return bytes(self._frame.decompress(data))
        except self._error as error:
            raise OSError(str(error)) from error

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._frame.unused_data)


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
