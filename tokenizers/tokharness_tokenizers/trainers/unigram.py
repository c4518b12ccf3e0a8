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
from tokharness_tokenizers.trainers._collector import without_collector
from tokharness_tokenizers.trainers._corpus import Corpus
from tokharness_tokenizers.trainers._sentencepiece import (
    OPTIONS,
    read_words,
    result,
    save,
    settings_of,
)
from tokharness_tokenizers.trainers._spec import library_spec as spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tokharness.training import TrainingOptions, TrainingResult

__all__ = ["NAME", "OPTIONS", "spec", "train"]

NAME = "unigram"


@without_collector()
def train(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train on texts and write the model to ``path``.

    Raises:
        UsageError: an option is invalid, which is checked before the first text is read, or the
            vocabulary size is too small for the characters of the texts, or they have no words.
        OSError: the file cannot be written.

    """
    settings = settings_of(options)
    corpus = Corpus(texts)
    words = read_words(corpus, settings, options)
    others = len(settings.special) + len(settings.bytes)
    size = options.vocab_size - len(settings.bytes)
    pieces = learn_pieces(words, settings.rules, size, reserved=others, progress=progress)
    tokens = save(path, ModelKind.UNIGRAM, settings, pieces)
    return result(tokens, options, corpus, words, "the corpus has no more frequent substrings")
