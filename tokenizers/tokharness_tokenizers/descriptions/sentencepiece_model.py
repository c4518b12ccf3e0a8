"""A SentencePiece model: its pieces, and the settings that encoding and decoding depend on.

The settings of training, such as the paths of the corpus, and the name of the normalizer's rules
are left out: they change the ids of no text.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tokharness.model import Description, TokenEntry
from tokharness_tokenizers.descriptions.canonical import canonical, check_places, text_of
from tokharness_tokenizers.reference.sentencepiece import model_file
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
    model_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["FORMAT", "KIND_OF", "NAME_OF", "describe", "write"]

FORMAT: Final = "SentencePiece"
NAME_OF: Final = {kind: kind.name.lower().replace("_", " ") for kind in PieceKind}
KIND_OF: Final = {name: kind for kind, name in NAME_OF.items()}
"""The names of the types of pieces, which GGUF files have, too."""

FLAGS: Final = ("add_dummy_prefix", "escape_whitespaces", "remove_extra_whitespaces")
NAMED: Final = ("bos_piece", "byte_fallback", "eos_piece", "pad_piece", "unk_piece")
SUFFIX: Final = "treat_whitespace_as_suffix"


def describe(path: Path) -> Description:
    """Describe a model; raises OSError, or ValueError if it is damaged."""
    model = model_file.load(path)
    trainer = model.trainer
    denormalizer = model.denormalizer
    stages = {
        "normalizer": {**_normalizer(model.normalizer), SUFFIX: getattr(trainer, SUFFIX)},
        "model": {
            **{name: getattr(trainer, name) for name in NAMED},
            "type": trainer.model.name.lower(),
        },
        "decoder": {
            "denormalizer": None if denormalizer is None else _normalizer(denormalizer),
            "unk_surface": trainer.unk_surface,
        },
    }
    rows = (
        TokenEntry(at, piece.text, piece.score, NAME_OF[piece.kind])
        for at, piece in enumerate(model.pieces)
    )
    return Description(FORMAT, canonical(stages), tuple(rows))


def _normalizer(spec: NormalizerSpec) -> dict[str, Any]:
    flags = {flag: getattr(spec, flag) for flag in FLAGS}
    charsmap = base64.b64encode(spec.precompiled_charsmap).decode()
    return {**flags, "precompiled_charsmap": charsmap}


def write(description: Description, folder: Path) -> Path:
    """Write a model into a folder, and return its path; raises OSError or ValueError."""
    stages, path = description.stages, folder / "tokenizer.model"
    check_places(description.tokens)
    normalizer, denormalizer = stages["normalizer"], stages["decoder"]["denormalizer"]
    names = {name: stages["model"][name] for name in NAMED}
    model = ModelFile(
        tuple(
            Piece(text_of(row.token), row.score or 0.0, KIND_OF[row.type or "normal"])
            for row in description.tokens
        ),
        TrainerSpec(
            ModelKind[stages["model"]["type"].upper()],
            unk_surface=stages["decoder"]["unk_surface"],
            **{SUFFIX: normalizer[SUFFIX]},
            **names,
        ),
        _spec(normalizer),
        None if denormalizer is None else _spec(denormalizer),
    )
    path.write_bytes(model_bytes(model))
    return path


def _spec(stage: Mapping[str, Any]) -> NormalizerSpec:
    charsmap = base64.b64decode(stage["precompiled_charsmap"], validate=True)
    flags = {flag: stage[flag] for flag in FLAGS}
    return replace(NormalizerSpec(precompiled_charsmap=charsmap), **flags)
