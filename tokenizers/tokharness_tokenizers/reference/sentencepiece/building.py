"""Make the bytes of a SentencePiece model, the counterpart of :mod:`.model_file`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.sentencepiece.protobuf import field_bytes

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.sentencepiece.model_file import (
        ModelFile,
        NormalizerSpec,
        Piece,
        TrainerSpec,
    )


def model_bytes(model: ModelFile) -> bytes:
    """Return a model as the bytes of a ``ModelProto``, which :func:`.model_file.parse` reads."""
    fields = [field_bytes(1, _piece(piece)) for piece in model.pieces]
    fields.append(field_bytes(2, _trainer(model.trainer, len(model.pieces))))
    fields.append(field_bytes(3, _normalizer(model.normalizer)))
    if model.denormalizer is not None:
        fields.append(field_bytes(5, _normalizer(model.denormalizer)))
    return b"".join(fields)


def _piece(piece: Piece) -> bytes:
    fields = ((1, piece.text), (2, float(piece.score)), (3, piece.kind))
    return b"".join(field_bytes(*one) for one in fields)


def _trainer(spec: TrainerSpec, size: int) -> bytes:
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


def _normalizer(spec: NormalizerSpec) -> bytes:
    fields = (
        (1, spec.name),
        (2, spec.precompiled_charsmap),
        (3, spec.add_dummy_prefix),
        (4, spec.remove_extra_whitespaces),
        (5, spec.escape_whitespaces),
    )
    return b"".join(field_bytes(*one) for one in fields)
