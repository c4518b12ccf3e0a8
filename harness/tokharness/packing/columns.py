"""Columns of bytes, integers and texts in one block of bytes, each compressed by itself.

A block may come from anyone: a column never becomes larger than it says, all columns together have
a limit, and bytes left over are an error.

Texts are sorted. Each text is stored as the length of the prefix that it shares with the text
before it, and the rest, up to a byte 0; a further column has the places to which the texts belong.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import sys
import zlib
from array import array
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIMIT: Final = 1 << 26
"""Bytes of all columns of a block, at most, and of their content.

A vocabulary of 250,000 tokens has twelve million.
"""

MOST_NUMBERS: Final = 1 << 21
"""Numbers of a column. (The largest published vocabularies have 262,144 tokens.)"""

HEAD: Final = struct.Struct("<4sI")
COLUMN: Final = struct.Struct("<BII")
WHOLE: Final = (1 << 64) - 1
HALF: Final = 1 << 63
PLAIN, LZMA, BZ2 = range(3)
FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 6}]
CODES: Final = {1: "B", 2: "H", 4: "I", 8: "Q"}
"""The code in :mod:`array` of unsigned integers, by their bytes."""


class Writer:
    """Columns that become a block."""

    def __init__(self, magic: bytes) -> None:
        """Begin a block; ``magic`` are the four bytes that name its kind."""
        self._magic = magic
        self._columns: list[bytes] = []

    def add(self, data: bytes, *, is_text: bool = False) -> None:
        """Add a column of bytes; sorted words are smaller by bzip2, everything else by LZMA."""
        if is_text:
            method, packed = BZ2, bz2.compress(data)
        else:
            method, packed = LZMA, lzma.compress(data, lzma.FORMAT_RAW, filters=FILTERS)
        if len(packed) >= len(data):
            method, packed = PLAIN, data
        self._columns += [COLUMN.pack(method, len(data), len(packed)), packed]

    def add_numbers(self, numbers: Sequence[int]) -> None:
        """Add a column of integers from 0 to 2**64 - 1: their lowest bytes, then the next bytes."""
        if len(numbers) > MOST_NUMBERS:
            raise ValueError(f"a column has more than {MOST_NUMBERS:,} rows")
        most = max(numbers, default=0)
        size = next(one for one in CODES if not most >> 8 * one)
        values = array(CODES[size], numbers)
        if sys.byteorder == "big":
            values.byteswap()
        data = values.tobytes()
        self.add(bytes([size]) + b"".join(data[at::size] for at in range(size)))

    def add_steps(self, numbers: Iterable[int]) -> None:
        """Add a column of 64-bit integers as their differences; negative differences become odd.

        A difference of more bits is reduced modulo 2**64.
        """
        steps, before = [], 0
        for number in numbers:
            if not -HALF <= number < HALF:
                raise ValueError(f"the number {number} has more than 64 bits")
            step = (number - before + HALF & WHOLE) - HALF
            steps.append(step << 1 if step >= 0 else ~step << 1 | 1)
            before = number
        self.add_numbers(steps)

    def block(self) -> bytes:
        """Return the block."""
        body = b"".join(self._columns)
        return HEAD.pack(self._magic, zlib.crc32(body)) + body


class Reader:
    """The columns of a block, in their order."""

    def __init__(self, block: bytes, magic: bytes, what: str) -> None:
        """Begin to read; ``what`` names the block in errors. Raises ValueError for other blocks."""
        self._what, self._block, self._at, self._left = what, block, HEAD.size, LIMIT
        if len(block) < HEAD.size or HEAD.unpack_from(block)[0] != magic:
            raise self.error("it does not begin as one")
        if HEAD.unpack_from(block)[1] != zlib.crc32(block[HEAD.size :]):
            raise self.error("its checksum differs")

    def error(self, problem: str) -> ValueError:
        """Return the error that says what is wrong with the block."""
        return ValueError(f"{self._what} is damaged: {problem}")

    def read(self, most: int = LIMIT) -> bytes:
        """Return the next column, of at most ``most`` bytes; raises ValueError if it is damaged."""
        start = self._at + COLUMN.size
        if start > len(self._block):
            raise self.error("a column is missing")
        method, size, packed_size = COLUMN.unpack_from(self._block, self._at)
        self._at = start + packed_size
        if self._at > len(self._block):
            raise self.error("a column exceeds its end")
        self.spend(size)
        if size > most:
            raise self.error(f"a column has more than {most:,} bytes")
        data = self._unpacked(method, self._block[start : self._at], size)
        if len(data) != size:
            raise self.error("a column has another size than it says")
        return data

    def _unpacked(self, method: int, data: bytes, size: int) -> bytes:
        """Return the content of a compressed column, at most one byte more than its size."""
        if method == PLAIN:
            return data
        if method not in (LZMA, BZ2):
            raise self.error(f"a column has the unknown compression {method}")
        reader: lzma.LZMADecompressor | bz2.BZ2Decompressor = bz2.BZ2Decompressor()
        if method == LZMA:
            reader = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=FILTERS)
        try:
            found = reader.decompress(data, size + 1)
        except (lzma.LZMAError, OSError, EOFError) as error:
            raise self.error(f"a column is not what it is compressed as ({error})") from error
        if reader.unused_data:
            raise self.error("bytes follow a compressed column")
        return found

    def read_numbers(self, most: int = WHOLE) -> array[int]:
        """Return the next column of integers; raises ValueError for an integer above ``most``."""
        data = self.read()
        size = data[0] if data else 0
        count, rest = divmod(len(data) - 1, size) if size in CODES else (0, 1)
        if rest or count > MOST_NUMBERS:
            raise self.error(f"a column of numbers has {len(data):,} bytes")
        mixed = bytearray(count * size)
        for at in range(size):
            mixed[at::size] = data[1 + at * count : 1 + (at + 1) * count]
        values = array(CODES[size], bytes(mixed))
        if sys.byteorder == "big":
            values.byteswap()
        if values and max(values) > most:
            raise self.error(f"it has a number above {most:,}")
        return values

    def read_steps(self) -> list[int]:
        """Return the integers of the next column, which has their differences."""
        found, before = [], 0
        for step in self.read_numbers():
            before += ~(step >> 1) if step & 1 else step >> 1
            if not -HALF <= before < HALF:
                before = (before + HALF & WHOLE) - HALF
            found.append(before)
        return found

    def spend(self, size: int) -> None:
        """Count bytes of the content of a column; raises ValueError if there are too many."""
        self._left -= size
        if self._left < 0:
            raise self.error(f"its content has more than {LIMIT:,} bytes")

    def end(self) -> None:
        """Raise ValueError if a column is left."""
        if self._at != len(self._block):
            raise self.error("bytes follow its last column")


if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


Content: TypeAlias = "str | bytes"
Pair: TypeAlias = tuple[Content, Content]

MOST_SHARED: Final = 254
END: Final = b"\0"
ESCAPE: Final = b"\1"
OF_END, OF_ESCAPE = b"\1\1", b"\1\2"
"""What stands for the two bytes inside a text."""


def add_texts(writer: Writer, texts: Sequence[Content]) -> None:
    """Add columns of texts, each a string, which may have surrogates, or bytes."""
    data = [one.encode("utf-8", "surrogatepass") if isinstance(one, str) else one for one in texts]
    order = sorted(range(len(data)), key=data.__getitem__)
    writer.add_numbers(order)
    writer.add(b"".join(_records(map(data.__getitem__, order))), is_text=True)
    writer.add_numbers([isinstance(texts[at], str) for at in order])


def _records(texts: Iterable[bytes]) -> Iterator[bytes]:
    before = b""
    for text in texts:
        most = min(len(before), len(text), MOST_SHARED)
        shared = 0
        while shared < most and before[shared] == text[shared]:
            shared += 1
        rest = text[shared:]
        if ESCAPE in rest or END in rest:
            rest = rest.replace(ESCAPE, OF_ESCAPE).replace(END, OF_END)
        yield bytes([shared + 1]) + rest + END
        before = text


def read_texts(reader: Reader) -> list[Content]:
    """Return the texts of the next columns; raises ValueError if they are damaged or too large."""
    order = reader.read_numbers()
    data = reader.read()
    are_strings = reader.read_numbers(most=1)
    is_complete = not data or data.endswith(END)
    if not (is_complete and len(order) == data.count(END) == len(are_strings)):
        raise reader.error("its texts have another number than their places")
    if len(set(order)) < len(order) or max(order, default=-1) >= len(order):
        raise reader.error("two texts have one place")
    texts: list[Content] = [b""] * len(order)
    for place, text, is_string in zip(
        order, _texts(reader, data.split(END)[:-1]), are_strings, strict=True
    ):
        try:
            texts[place] = text.decode("utf-8", "surrogatepass") if is_string else text
        except UnicodeDecodeError as error:
            raise reader.error("a text is not UTF-8") from error
    return texts


def _texts(reader: Reader, records: Iterable[bytes]) -> Iterator[bytes]:
    before = b""
    for record in records:
        if not record or record[0] - 1 > len(before):
            raise reader.error("a text shares more with the one before it than this has")
        rest = record[1:]
        if ESCAPE in rest:
            rest = rest.replace(OF_END, END).replace(OF_ESCAPE, ESCAPE)
        before = before[: record[0] - 1] + rest
        reader.spend(len(before))
        yield before


def add_merges(writer: Writer, tokens: Sequence[Content], merges: Sequence[Pair]) -> None:
    """Add columns of pairs; most pairs are the two parts of a token.

    The place of the token is one column, and the length of its left part another. A length of 0
    means that the pair stands by itself.
    """
    place_of = {token: place for place, token in enumerate(tokens)}
    places, lengths, others = [], [], []
    place = 0
    for left, right in merges:
        found = None
        if left and type(left) is type(right):
            found = place_of.get(left + right)  # type: ignore[operator]
        if found is None:
            others += [left, right]
        else:
            place = found
        places.append(place)
        lengths.append(0 if found is None else len(left))
    writer.add_steps(places)
    writer.add_numbers(lengths)
    add_texts(writer, others)


def read_merges(reader: Reader, tokens: Sequence[Content]) -> tuple[Pair, ...]:
    """Return the pairs of the next columns; raises ValueError if they are damaged or too large."""
    places, lengths = reader.read_steps(), reader.read_numbers()
    texts = read_texts(reader)
    others = zip(texts[::2], texts[1::2], strict=False)
    if len(places) != len(lengths) or len(texts) != 2 * sum(not one for one in lengths):
        raise reader.error("its columns of merges have different lengths")
    merges: list[Pair] = []
    for place, length in zip(places, lengths, strict=True):
        if not length:
            merges.append(next(others))
            continue
        if not 0 <= place < len(tokens) or length > len(tokens[place]):
            raise reader.error("a merge makes no token")
        token = tokens[place]
        reader.spend(len(token))
        merges.append((token[:length], token[length:]))
    return tuple(merges)
