"""BPE over characters, with ``</w>`` at the ends of words: the codes of subword-nmt.

The algorithm is that of Sennrich et al. 2016. Words are what spaces and line ends delimit. The file
has the merges as ``subword-nmt`` writes them (``#version: 0.2``), equal to those that this program
learns from the same texts. The vocabulary is the characters inside words, those at the ends of
words, and the tokens that merges make.

Of equally frequent pairs, the greatest pair of strings is merged first, as in ``subword-nmt``.
Words that contain ``</w>`` are left out, since in the file it is the end of a word.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness.training import TrainingResult
from tokharness_tokenizers.reference import atomic_file
from tokharness_tokenizers.reference.char_bpe_training import (
    END,
    alphabet_of,
    count_words,
    merges,
)
from tokharness_tokenizers.trainers._corpus import Corpus
from tokharness_tokenizers.trainers._notes import check_size, counted, fewer_tokens
from tokharness_tokenizers.trainers._spec import library_spec as spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tokharness.training import TrainingOptions

__all__ = ["NAME", "OPTIONS", "spec", "train"]

NAME = "char-bpe"
OPTIONS = ()


def train(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train on texts and write the merges to ``path``.

    Raises:
        UsageError: the vocabulary size is below 1, which is checked before the first text is read,
            or too small for the characters of the texts, or the texts have no words.
        OSError: the file cannot be written.

    """
    check_size(options, 1)
    corpus = Corpus(texts)
    counts = count_words(corpus)
    left_out = sum(counts.pop(word) for word in list(counts) if END in word)
    if not counts:
        raise corpus.nothing_found("the corpus has no words")
    alphabet = alphabet_of(counts)
    check_size(options, len(alphabet))
    learned = []
    for merge in islice(merges(counts, alphabet=alphabet), options.vocab_size - len(alphabet)):
        learned.append(merge)
        progress(len(alphabet) + len(learned))
    lines = ["#version: 0.2", *(f"{left} {right}" for left, right in learned)]
    atomic_file.write(path, ("\n".join(lines) + "\n").encode())
    tokens = len(alphabet) + len(learned)
    notes = fewer_tokens(options, tokens)
    if left_out:
        notes += (f"left out, as {END} is the mark of the end: {counted(left_out, 'word')}",)
    return TrainingResult(tokens, 0, corpus.size, notes)
