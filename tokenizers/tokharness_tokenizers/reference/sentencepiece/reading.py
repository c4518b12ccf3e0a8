"""From a SentencePiece model to its tokenizer."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import (
    UNKNOWN_PENALTY,
    SentencePieceUnigram,
)
from tokharness_tokenizers.reference.models.sentencepiece_words import WholeCharacters, WholeWords
from tokharness_tokenizers.reference.sentencepiece import model_file
from tokharness_tokenizers.reference.sentencepiece.alterations import alterations
from tokharness_tokenizers.reference.sentencepiece.decoding import PieceDecoding
from tokharness_tokenizers.reference.sentencepiece.model_file import ModelKind, PieceKind
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece
from tokharness_tokenizers.reference.sentencepiece.vocabulary import vocabulary_of

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.sentencepiece.model_file import ModelFile
    from tokharness_tokenizers.reference.sentencepiece.tokenizer import PieceModel
    from tokharness_tokenizers.reference.sentencepiece.vocabulary import Vocabulary

__all__ = ["load", "read"]

ALGORITHMS: Final = {
    ModelKind.UNIGRAM: "Unigram",
    ModelKind.BPE: "SentencePiece BPE",
    ModelKind.WORD: "word",
    ModelKind.CHAR: "character",
}


def load(path: Path) -> SentencePiece:
    """Read a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged; the message says where.

    """
    model = model_file.load(path)
    try:
        return read(model, str(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read(model: ModelFile, name: str) -> SentencePiece:
    """Make the tokenizer of a model.

    Raises:
        ValueError: it contradicts itself, or a charsmap is damaged.

    """
    vocabulary = vocabulary_of(model)
    suffix = model.trainer.treat_whitespace_as_suffix
    user_defined = tuple(vocabulary.user_defined)
    normalizing = Normalizing.of(model.normalizer, user_defined, space_is_suffix=suffix)
    denormalizing = None
    if model.denormalizer is not None and model.denormalizer.precompiled_charsmap:
        denormalizing = Normalizing.of(model.denormalizer, space_is_suffix=False)
    return SentencePiece(
        name,
        vocabulary,
        normalizing,
        _model(model.trainer.model, vocabulary),
        PieceDecoding(vocabulary, model.normalizer, model.trainer.unk_surface, denormalizing),
        ALGORITHMS[model.trainer.model] + ", byte fallback" * vocabulary.byte_fallback,
        altered=alterations,
    )


def _model(kind: ModelKind, vocabulary: Vocabulary) -> PieceModel:
    user_defined = tuple(vocabulary.user_defined)
    if kind is ModelKind.BPE:
        return SentencePieceBPE(
            vocabulary.of_text,
            vocabulary.scores,
            vocabulary.unknown,
            user_defined,
            vocabulary.unused,
        )
    used = {text: i for text, i in vocabulary.of_text.items() if i not in vocabulary.unused}
    if kind is ModelKind.WORD:
        return WholeWords(used, vocabulary.unknown)
    if kind is ModelKind.CHAR:
        return WholeCharacters(used, vocabulary.unknown, user_defined)
    return _unigram(used, vocabulary)


def _unigram(used: dict[str, int], vocabulary: Vocabulary) -> SentencePieceUnigram:
    normal = [vocabulary.scores[i] for i in vocabulary.ids(PieceKind.NORMAL)]
    scores = {
        text: _single(0.1 * (len(text.encode()) - 1))
        if text in vocabulary.user_defined
        else vocabulary.scores[number]
        for text, number in used.items()
    }
    unknown_score = _single(min(normal, default=0.0) - UNKNOWN_PENALTY)
    return SentencePieceUnigram(used, scores, unknown_score, vocabulary.unknown)


def _single(value: float) -> float:
    """Round to a float of four bytes."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])
