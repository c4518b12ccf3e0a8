"""The wire format of protocol buffers: numbered fields of a message, read and written.

Source: "Encoding" in the documentation of Protocol Buffers. A field has a tag, a varint of its
number and its wire type: 0 a varint, 1 eight bytes, 2 a length and its bytes, 5 four bytes. The
groups of wire types 3 and 4 are not read: no format here has groups.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Value: TypeAlias = int | bytes
"""A varint, or the bytes of any other field."""

Field: TypeAlias = tuple[int, int, Value]
"""The number, the wire type and the value of a field."""

VARINT: Final = 0
LENGTH: Final = 2
MOST_FIELDS: Final = 1 << 20
"""Most fields of a message that are read; a model has a field for each piece, rarely 300,000."""
FIXED: Final = {1: 8, 5: 4}
"""The number of bytes of the wire types of fixed size."""


def read_fields(data: bytes, where: str) -> Iterator[Field]:
    """Yield the number, the wire type and the value of each field of a message.

    Raises:
        ValueError: the message is damaged; the error has ``where`` and the number of a byte.

    """
    at, end = 0, len(data)
    while at < end:
        start = at
        tag, at = _varint(data, at, where)
        number, wire = tag >> 3, tag & 7
        if wire == LENGTH:
            size, at = _varint(data, at, where)
        elif wire in FIXED:
            size = FIXED[wire]
        elif wire == VARINT:
            value, at = _varint(data, at, where)
            yield number, wire, value
            continue
        else:
            raise ValueError(f"{where} has a field of the unknown wire type {wire} at byte {start}")
        if number == 0 or at + size > end:
            raise ValueError(f"{where} is damaged: the field at byte {start} exceeds its end")
        yield number, wire, data[at : at + size]
        at += size


def _bounded(fields: Iterator[Field], where: str) -> Iterator[Field]:
    """Yield fields; raises ValueError if there are too many."""
    yield from islice(fields, MOST_FIELDS)
    if next(fields, None) is not None:
        raise ValueError(f"{where} has more than {MOST_FIELDS:,} fields")


def _varint(data: bytes, at: int, where: str) -> tuple[int, int]:
    """Return a varint and the place after it."""
    if at < len(data) and data[at] < 0x80:
        return data[at], at + 1
    value = 0
    for place, byte in enumerate(data[at : at + 10]):
        value |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return value & (1 << 64) - 1, at + place + 1
    raise ValueError(f"{where} is damaged: the number at byte {at} does not end")


class Message:
    """The fields of a message; of a field that occurs several times the last value counts."""

    __slots__ = ("_fields", "where")

    def __init__(self, data: bytes, where: str) -> None:
        """Read a message; ``where`` names it in errors, which are ValueErrors."""
        self.where = where
        self._fields: defaultdict[int, list[tuple[int, Value]]] = defaultdict(list)
        fields = read_fields(data, where)
        if len(data) > 2 * MOST_FIELDS:  # a field has two bytes or more
            fields = _bounded(fields, where)
        for number, wire, value in fields:
            self._fields[number].append((wire, value))

    def all_bytes(self, number: int) -> list[bytes]:
        """Return the values of a repeated field of bytes, texts or messages."""
        return [value for value in self._values(number, LENGTH) if isinstance(value, bytes)]

    def bytes(self, number: int) -> bytes | None:
        """Return the bytes of a field; None if it is missing."""
        return next(reversed(self.all_bytes(number)), None)

    def text(self, number: int) -> str | None:
        """Return the text of a field; None if it is missing."""
        data = self.bytes(number)
        try:
            return None if data is None else data.decode()
        except UnicodeDecodeError as error:
            message = f"{self.where} has a text in its field {number} that is not UTF-8"
            raise ValueError(message) from error

    def integer(self, number: int, default: int) -> int:
        """Return the number of a field."""
        values = [value for value in self._values(number, VARINT) if isinstance(value, int)]
        return values[-1] if values else default

    def flag(self, number: int, *, default: bool) -> bool:
        """Return the truth value of a field."""
        return bool(self.integer(number, default))

    def single(self, number: int, default: float) -> float:
        """Return the floating-point number of four bytes of a field."""
        values = [value for value in self._values(number, 5) if isinstance(value, bytes)]
        return float(struct.unpack("<f", values[-1])[0]) if values else default

    def message(self, number: int, where: str) -> Message | None:
        """Return the message of a field; repeated fields are merged. None if it is missing."""
        parts = self.all_bytes(number)
        return Message(b"".join(parts), where) if parts else None

    def _values(self, number: int, wire: int) -> Iterator[Value]:
        for found, value in self._fields.get(number, ()):
            if found != wire:
                raise ValueError(
                    f"{self.where} has a field {number} of the wrong wire type {found}"
                )
            yield value


def field_bytes(number: int, value: bool | float | str | bytes) -> bytes:
    """Return a field with a number: a varint, a float of four bytes, a text, or bytes."""
    if isinstance(value, int):
        return _varint_bytes(number << 3 | VARINT) + _varint_bytes(value & (1 << 64) - 1)
    if isinstance(value, float):
        return _varint_bytes(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return _varint_bytes(number << 3 | LENGTH) + _varint_bytes(len(data)) + data


def _varint_bytes(value: int) -> bytes:
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*data, value])
