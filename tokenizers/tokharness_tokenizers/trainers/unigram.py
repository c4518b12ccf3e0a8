"""A Unigram language model, by expectation maximization (Kudo 2018), as SentencePiece trains it.

The seeds are all characters and frequent substrings that may be pieces, with the rules of
``sentencepiece-bpe``. Two steps of EM and a pruning of a quarter of the pieces, those whose removal
costs the least likelihood, alternate until the size is reached. SentencePiece 0.2.3 departs from
the published algorithm: it counts unknown characters as its first piece. So a few pieces in a
hundred differ.

Options and the file are those of ``sentencepiece-bpe``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.sentencepiece.model_file import ModelKind
from tokharness_tokenizers.reference.unigram_training.training import learn_pieces
from tokharness_tokenizers.trainers._corpus import library_spec as spec
from tokharness_tokenizers.trainers._sentencepiece import OPTIONS, train_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tokharness.training import TrainingOptions, TrainingResult
    from tokharness_tokenizers.reference.sentencepiece_training import Words
    from tokharness_tokenizers.trainers._sentencepiece import Settings

__all__ = ["NAME", "OPTIONS", "spec", "train"]

NAME = "unigram"


def train(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train on texts and write the model; raises what :func:`._sentencepiece.train_model` does."""

    def learn(words: Words, settings: Settings) -> dict[str, float]:
        reserved = len(settings.special) + len(settings.bytes)
        return learn_pieces(
            words, settings.rules, settings.size, reserved=reserved, progress=progress
        )

    return train_model(learn, ModelKind.UNIGRAM, texts, path, options)
