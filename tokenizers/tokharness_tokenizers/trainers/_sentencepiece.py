"""What the trainers of SentencePiece models share: their options, the corpus and the file."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tokharness.errors import UnknownNameError, UsageError
from tokharness.training import TrainingResult
from tokharness_tokenizers.reference import atomic_file
from tokharness_tokenizers.reference.sentencepiece import nmt_nfkc
from tokharness_tokenizers.reference.sentencepiece.building import model_bytes
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
)
from tokharness_tokenizers.reference.sentencepiece_training.rules import PieceRules
from tokharness_tokenizers.reference.sentencepiece_training.words import count_words
from tokharness_tokenizers.reference.splitting import join_surrogates
from tokharness_tokenizers.trainers._coverage import character_coverage
from tokharness_tokenizers.trainers._notes import check_size, counted
from tokharness_tokenizers.trainers._special_tokens import refuse_repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tokharness.training import TrainingOptions
    from tokharness_tokenizers.reference.sentencepiece_training.words import Words
    from tokharness_tokenizers.trainers._corpus import Corpus

__all__ = ["OPTIONS", "Settings", "read_words", "result", "save", "settings_of"]

OPTIONS = (
    "byte_fallback",
    "character_coverage",
    "max_piece_length",
    "normalization",
    "special_tokens",
)
_SPECIAL: Final = {
    "<unk>": PieceKind.UNKNOWN,
    "<s>": PieceKind.CONTROL,
    "</s>": PieceKind.CONTROL,
}
_BYTES: Final = tuple(f"<0x{byte:02X}>" for byte in range(256))
_CHARSMAPS: Final[Mapping[str, Callable[[], bytes]]] = MappingProxyType(
    {"identity": bytes, "nmt_nfkc": nmt_nfkc.charsmap}
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a training, with their defaults.

    Attributes:
        special: The special pieces, which have the first ids.
        bytes: The pieces of bytes, which have the next ids; none without byte fallback.
        normalizer: The normalization.
        coverage: The fraction of the corpus that the alphabet covers.
        rules: Which texts may be pieces.

    """

    special: tuple[Piece, ...]
    bytes: tuple[Piece, ...]
    normalizer: NormalizerSpec
    coverage: float
    rules: PieceRules


def settings_of(options: TrainingOptions) -> Settings:
    """Return the settings; raises UsageError for an invalid option."""
    special = (*_SPECIAL, *options.special_tokens)
    of_bytes = _BYTES if options.byte_fallback else ()
    refuse_repeated((*special, *of_bytes))
    for text in special:
        if not text or "\0" in text or join_surrogates(text) != text:
            raise UsageError(
                f"{text!r} cannot be a piece: a special token has text without U+0000 or lone "
                "surrogates"
            )
    check_size(options, len(of_bytes) + 1)
    name = "nmt_nfkc" if options.normalization is None else options.normalization
    if name not in _CHARSMAPS:
        raise UnknownNameError("normalization", name, _CHARSMAPS)
    length = 16 if options.max_piece_length is None else options.max_piece_length
    if length < 1:
        raise UsageError(f"--max-piece-length is 1 or more, not {length}")
    return Settings(
        tuple(Piece(text, 0.0, _SPECIAL.get(text, PieceKind.CONTROL)) for text in special),
        tuple(Piece(text, 0.0, PieceKind.BYTE) for text in of_bytes),
        NormalizerSpec(name, _CHARSMAPS[name]()),
        character_coverage(options, default=0.9995),
        PieceRules(length),
    )


def read_words(corpus: Corpus, settings: Settings, options: TrainingOptions) -> Words:
    """Count the words of a corpus; raises UsageError if it has none, or too many characters."""
    reserved = [piece.text for piece in (*settings.special, *settings.bytes)]
    words = count_words(corpus, settings.normalizer, coverage=settings.coverage, reserved=reserved)
    if not words.alphabet:
        raise corpus.nothing_found("the corpus has no words")
    needed = len(words.alphabet) + len(settings.bytes)
    check_size(options, needed, ", or a smaller --character-coverage")
    return words


def save(path: Path, kind: ModelKind, settings: Settings, pieces: Mapping[str, float]) -> int:
    """Write a model; return the number of its pieces that are not special. Raises OSError."""
    normal = tuple(Piece(text, score) for text, score in pieces.items())
    model = ModelFile(
        (*settings.special, *settings.bytes, *normal),
        TrainerSpec(kind, byte_fallback=bool(settings.bytes)),
        settings.normalizer,
    )
    atomic_file.write(path, model_bytes(model))
    return len(settings.bytes) + len(normal)


def result(
    tokens: int, options: TrainingOptions, corpus: Corpus, words: Words, why_fewer: str
) -> TrainingResult:
    """Return the result of a training, with notes on what the vocabulary does not cover."""
    notes = []
    if tokens < options.vocab_size:
        notes.append(f"fewer than {options.vocab_size:,} tokens: {why_fewer}")
    if words.unknown:
        become = "their bytes" if options.byte_fallback else "<unk>"
        count = counted(words.unknown, "character")
        notes.append(f"not in the vocabulary: {count} of the corpus, which become {become}")
    if words.skipped:
        notes.append(
            f"left out, as SentencePiece does: {counted(words.skipped, 'line')} with U+2585 or of "
            "more than 4,192 bytes"
        )
    special = len(_SPECIAL) + len(options.special_tokens)
    return TrainingResult(tokens, special, corpus.size, tuple(notes))
