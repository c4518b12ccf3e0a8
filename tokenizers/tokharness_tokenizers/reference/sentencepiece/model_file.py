"""A SentencePiece model: read and write the fields of its ``ModelProto`` that decide about ids.

Source: ``sentencepiece_model.proto``, which also defines the defaults. Fields that only training
uses are not read, and neither are extensions.

A message of protocol buffers has numbered fields. Source: "Encoding" in the documentation of
Protocol Buffers. A field has a tag, a varint of its number and its wire type: 0 a varint, 1 eight
bytes, 2 a length and its bytes, 5 four bytes. The groups of wire types 3 and 4 are not read: no
format here has groups.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from tokharness.regular_files import read_file
from tokharness_tokenizers.reference.splitting import LargeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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


Kind = TypeVar("Kind", bound=IntEnum)

MOST_CHARACTERS = 1 << 12
"""Most characters for an unknown piece in decoded text; there are three by default."""


class PieceKind(IntEnum):
    """The type of a piece."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


class ModelKind(IntEnum):
    """The algorithm of a model."""

    UNIGRAM = 1
    BPE = 2
    WORD = 3
    CHAR = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """A token: its text, its score, which is a log probability or minus a rank, and its type."""

    text: str
    score: float = 0.0
    kind: PieceKind = PieceKind.NORMAL


@dataclass(frozen=True, slots=True)
class TrainerSpec:
    """The settings of training that encoding and decoding depend on.

    Attributes:
        model: The algorithm.
        treat_whitespace_as_suffix: Whether the mark of a space ends words.
        byte_fallback: Whether an unknown character becomes the tokens of its bytes.
        unk_surface: The decoded text of the unknown piece.
        unk_piece: The text of the unknown piece.
        bos_piece: The text of the piece that begins a text.
        eos_piece: The text of the piece that ends a text.
        pad_piece: The text of the piece that pads a text.

    """

    model: ModelKind = ModelKind.UNIGRAM
    treat_whitespace_as_suffix: bool = False
    byte_fallback: bool = False
    unk_surface: str = " \u2047 "
    unk_piece: str = "<unk>"
    bos_piece: str = "<s>"
    eos_piece: str = "</s>"
    pad_piece: str = "<pad>"


@dataclass(frozen=True, slots=True)
class NormalizerSpec:
    """The changes of a text before the model reads it, or of a decoded text.

    Attributes:
        name: The name of the rules, such as ``nmt_nfkc``.
        precompiled_charsmap: The rules; see :mod:`..normalizers.charsmap`.
        add_dummy_prefix: Whether a space is put first (last, if spaces end words).
        remove_extra_whitespaces: Whether spaces at both ends, and repeated spaces, are removed.
        escape_whitespaces: Whether a space becomes U+2581.

    """

    name: str = ""
    precompiled_charsmap: bytes = field(default=b"", repr=False)
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model: the id of a piece is its place."""

    pieces: tuple[Piece, ...] = field(repr=False)
    trainer: TrainerSpec = TrainerSpec()
    normalizer: NormalizerSpec = NormalizerSpec()
    denormalizer: NormalizerSpec | None = None


def load(path: Path) -> ModelFile:
    """Read a file; raises OSError, or ValueError if it is damaged."""
    try:
        return parse(read_file(path))
    except ValueError as error:
        kind = LargeError if isinstance(error, LargeError) else ValueError
        raise kind(f"{path}: {error}") from error


def parse(data: bytes) -> ModelFile:
    """Read the bytes of a ``ModelProto``.

    Raises:
        ValueError: the bytes are damaged; the message says where.

    """
    model = Message(data, "the SentencePiece model")
    rows = model.all_bytes(1)
    if not rows:
        raise ValueError("the SentencePiece model has no pieces")
    denormalizer = model.message(5, "the denormalizer")
    return ModelFile(
        tuple(_piece(row, f"the piece {number}") for number, row in enumerate(rows)),
        _trainer(model.message(2, "the trainer's settings") or Message(b"", "")),
        _normalizer(model.message(3, "the normalizer") or Message(b"", "")),
        None if denormalizer is None else _normalizer(denormalizer),
    )


def _piece(data: bytes, where: str) -> Piece:
    message = Message(data, where)
    kind = _choice(PieceKind, message.integer(3, PieceKind.NORMAL), where)
    return Piece(message.text(1) or "", message.single(2, 0.0), kind)


def _trainer(message: Message) -> TrainerSpec:
    surface = message.text(44)
    if len(surface or "") > MOST_CHARACTERS:
        size = f"{len(surface or ''):,} characters, more than {MOST_CHARACTERS:,}"
        raise LargeError(f"the unk_surface of the trainer's settings has {size}")
    return TrainerSpec(
        _choice(ModelKind, message.integer(3, ModelKind.UNIGRAM), "the trainer's settings"),
        message.flag(24, default=False),
        message.flag(35, default=False),
        " \u2047 " if surface is None else surface,
        message.text(45) or "<unk>",
        message.text(46) or "<s>",
        message.text(47) or "</s>",
        message.text(48) or "<pad>",
    )


def _normalizer(message: Message) -> NormalizerSpec:
    return NormalizerSpec(
        message.text(1) or "",
        message.bytes(2) or b"",
        message.flag(3, default=True),
        message.flag(4, default=True),
        message.flag(5, default=True),
    )


def _choice(kinds: type[Kind], value: int, where: str) -> Kind:
    try:
        return kinds(value)
    except ValueError:
        raise ValueError(f"{where} has the unknown type {value}") from None


def model_bytes(model: ModelFile) -> bytes:
    """Return a model as the bytes of a ``ModelProto``, which :func:`.model_file.parse` reads."""
    fields = [field_bytes(1, _piece_field(piece)) for piece in model.pieces]
    fields.append(field_bytes(2, _trainer_fields(model.trainer, len(model.pieces))))
    fields.append(field_bytes(3, _normalizer_fields(model.normalizer)))
    if model.denormalizer is not None:
        fields.append(field_bytes(5, _normalizer_fields(model.denormalizer)))
    return b"".join(fields)


def _piece_field(piece: Piece) -> bytes:
    fields = ((1, piece.text), (2, float(piece.score)), (3, piece.kind))
    return b"".join(field_bytes(*one) for one in fields)


def _trainer_fields(spec: TrainerSpec, size: int) -> bytes:
    fields = (
        (3, spec.model),
        (4, size),
        (24, spec.treat_whitespace_as_suffix),
        (35, spec.byte_fallback),
        (44, spec.unk_surface),
        (45, spec.unk_piece),
        (46, spec.bos_piece),
        (47, spec.eos_piece),
        (48, spec.pad_piece),
    )
    return b"".join(field_bytes(*one) for one in fields)


def _normalizer_fields(spec: NormalizerSpec) -> bytes:
    fields = (
        (1, spec.name),
        (2, spec.precompiled_charsmap),
        (3, spec.add_dummy_prefix),
        (4, spec.remove_extra_whitespaces),
        (5, spec.escape_whitespaces),
    )
    return b"".join(field_bytes(*one) for one in fields)
