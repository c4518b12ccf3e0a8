"""What the trainers of SentencePiece models share: their options, the corpus and the file."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tokharness.errors import UnknownNameError, UsageError
from tokharness.training import TrainingResult
from tokharness_tokenizers.reference import atomic_file
from tokharness_tokenizers.reference.sentencepiece import normalizing
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
    model_bytes,
)
from tokharness_tokenizers.reference.sentencepiece_training import PieceRules, count_words
from tokharness_tokenizers.reference.splitting import join_surrogates
from tokharness_tokenizers.trainers._corpus import (
    Corpus,
    character_coverage,
    check_least_size,
    check_size,
    counted,
    refuse_repeated,
    without_collector,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from tokharness.training import TrainingOptions
    from tokharness_tokenizers.reference.sentencepiece.model_file import ModelKind
    from tokharness_tokenizers.reference.sentencepiece_training import Words

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
    {"identity": bytes, "nmt_nfkc": normalizing.charsmap}
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a training, with their defaults.

    Attributes:
        size: The number of pieces that are neither special nor those of bytes.
        special: The special pieces, which have the first ids.
        bytes: The pieces of bytes, which have the next ids; none without byte fallback.
        normalizer: The normalization.
        coverage: The fraction of the corpus that the alphabet covers.
        rules: Which texts may be pieces.

    """

    size: int
    special: tuple[Piece, ...]
    bytes: tuple[Piece, ...]
    normalizer: NormalizerSpec
    coverage: float
    rules: PieceRules


def settings_of(options: TrainingOptions) -> Settings:
    """Return the settings; raises UsageError for an invalid option."""
    special = (*_SPECIAL, *options.special_tokens)
    of_bytes = _BYTES if options.byte_fallback else ()
    refuse_repeated(options.special_tokens, (*_SPECIAL, *of_bytes))
    for text in special:
        if not text or "\0" in text or join_surrogates(text) != text:
            raise UsageError(
                f"{text!r} cannot be a piece: a special token has text without U+0000 or lone "
                "surrogates"
            )
    why = " with --byte-fallback" if of_bytes else ""
    check_least_size(options, len(of_bytes) + 1, why)
    name = "nmt_nfkc" if options.normalization is None else options.normalization
    if name not in _CHARSMAPS:
        raise UnknownNameError("normalization", name, _CHARSMAPS)
    length = 16 if options.max_piece_length is None else options.max_piece_length
    if length < 1:
        raise UsageError(f"--max-piece-length is 1 or more, not {length}")
    return Settings(
        options.vocab_size - len(of_bytes),
        tuple(Piece(text, 0.0, _SPECIAL.get(text, PieceKind.CONTROL)) for text in special),
        tuple(Piece(text, 0.0, PieceKind.BYTE) for text in of_bytes),
        NormalizerSpec(name, _CHARSMAPS[name]()),
        character_coverage(options, default=0.9995),
        PieceRules(length),
    )


@without_collector()
def train_model(
    learn: Callable[[Words, Settings], Mapping[str, float]],
    kind: ModelKind,
    texts: Iterable[str],
    path: Path,
    options: TrainingOptions,
) -> TrainingResult:
    """Write the model of the pieces that ``learn`` returns with their scores.

    Raises:
        UsageError: an option is invalid, which is checked before the first text is read, or the
            vocabulary size is too small for the characters of the texts, or they have no words.
        OSError: the file cannot be written.

    """
    settings = settings_of(options)
    corpus = Corpus(texts)
    reserved = [piece.text for piece in (*settings.special, *settings.bytes)]
    words = count_words(corpus, settings.normalizer, coverage=settings.coverage, reserved=reserved)
    if not words.alphabet:
        raise corpus.nothing_found("the corpus has no words")
    needed = len(words.alphabet) + len(settings.bytes)
    check_size(options, needed, ", or a smaller --character-coverage")
    normal = tuple(Piece(text, score) for text, score in learn(words, settings).items())
    model = ModelFile(
        (*settings.special, *settings.bytes, *normal),
        TrainerSpec(kind, byte_fallback=bool(settings.bytes)),
        settings.normalizer,
    )
    atomic_file.write(path, model_bytes(model))
    tokens = len(settings.bytes) + len(normal)
    notes = (*_fewer(options, tokens), *_not_covered(words, settings))
    return TrainingResult(tokens, len(settings.special), corpus.size, notes)


def _fewer(options: TrainingOptions, tokens: int) -> Iterator[str]:
    if tokens < options.vocab_size:
        yield f"fewer than {options.vocab_size:,} tokens: the corpus has no more pieces"


def _not_covered(words: Words, settings: Settings) -> Iterator[str]:
    if words.unknown:
        become = "their bytes" if settings.bytes else "<unk>"
        count = counted(words.unknown, "character")
        yield f"not in the vocabulary: {count} of the corpus, which become {become}"
    if words.skipped:
        yield (
            f"left out, as SentencePiece does: {counted(words.skipped, 'line')} with U+2585 or of "
            "more than 4,192 bytes"
        )
