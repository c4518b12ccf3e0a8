"""BPE as SentencePiece trains it (Sennrich et al. 2016; Kudo and Richardson 2018).

Words begin with U+2581, which stands for the space before them, and each line is a text. The most
frequent pair of pieces is merged, if the pair may be a piece: it has at most ``max_piece_length``
characters (16) of one script, and U+2581 only first. Of equally frequent pairs, the shortest is
merged, then the least. With the same options, SentencePiece 0.2.3 learns the same pieces.

``normalization`` is ``nmt_nfkc`` of Unicode 17.0 or ``identity``. ``character_coverage`` is the
fraction of the corpus (0.9995) that the characters of the vocabulary cover; the others are unknown,
or become bytes with ``byte_fallback``.

The file is a SentencePiece model. ``<unk>``, ``<s>``, ``</s>`` and the special tokens that the user
adds, as control pieces, have the first ids and are not counted in the size; pieces of bytes are.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.sentencepiece.model_file import ModelKind
from tokharness_tokenizers.reference.sentencepiece_training import merged_pieces
from tokharness_tokenizers.trainers._corpus import library_spec as spec
from tokharness_tokenizers.trainers._sentencepiece import OPTIONS, train_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tokharness.training import TrainingOptions, TrainingResult
    from tokharness_tokenizers.reference.sentencepiece_training import Words
    from tokharness_tokenizers.trainers._sentencepiece import Settings

__all__ = ["NAME", "OPTIONS", "spec", "train"]

NAME = "sentencepiece-bpe"


def train(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train on texts and write the model; raises what :func:`._sentencepiece.train_model` does."""

    def learn(words: Words, settings: Settings) -> dict[str, float]:
        learned = merged_pieces(words.counts(), settings.rules)
        pieces: list[str] = []
        for piece in islice(learned, settings.size - len(words.alphabet)):
            pieces.append(piece)
            progress(len(settings.bytes) + len(words.alphabet) + len(pieces))
        return {piece: -float(rank) for rank, piece in enumerate([*pieces, *words.alphabet])}

    return train_model(learn, ModelKind.BPE, texts, path, options)
