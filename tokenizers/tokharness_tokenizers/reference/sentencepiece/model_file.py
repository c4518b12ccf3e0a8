"""A SentencePiece model: read and write the fields of its ``ModelProto`` that decide about ids.

Source: ``sentencepiece_model.proto``, which also defines the defaults. Fields that only training
uses are not read, and neither are extensions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar

from tokharness.regular_files import read_file
from tokharness_tokenizers.reference.pattern_size import LargeError
from tokharness_tokenizers.reference.sentencepiece.protobuf import Message, field_bytes

if TYPE_CHECKING:
    from pathlib import Path

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
