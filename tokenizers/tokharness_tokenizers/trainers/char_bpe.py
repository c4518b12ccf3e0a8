"""BPE over characters, with ``</w>`` at the ends of words: subword-nmt's codes and vocabulary.

The algorithm is that of Sennrich et al. 2016. Words are what spaces and line ends delimit. The file
has the merges as ``subword-nmt`` writes them (``#version: 0.2``), equal to those that this program
learns from the same texts. The vocabulary is the characters inside words, those at the ends of
words, and the tokens that merges make. Its list is ``FILE.vocab``, with their counts in the texts,
as ``get_vocab`` of this program writes it, but in the order of training, and with those that occur
no more after the last merge.

Of equally frequent pairs, the greatest pair of strings is merged first, as in ``subword-nmt``.
Words that contain ``</w>`` are left out, since in the file it is the end of a word.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.training import TrainingResult
from tokharness_tokenizers.reference import atomic_file
from tokharness_tokenizers.reference.char_bpe_training import (
    END,
    alphabet_of,
    count_words,
    learn,
)
from tokharness_tokenizers.trainers._corpus import (
    Corpus,
    check_least_size,
    check_size,
    counted,
    fewer_tokens,
)
from tokharness_tokenizers.trainers._corpus import library_spec as spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokharness.training import TrainingOptions

__all__ = ["NAME", "OPTIONS", "SIDE_SUFFIXES", "spec", "train"]

NAME = "char-bpe"
OPTIONS = ()
SIDE_SUFFIXES = (".vocab",)


def train(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train on texts and write the merges to ``path``, with the vocabulary in its side file.

    Raises:
        UsageError: the vocabulary size is below 1, which is checked before the first text is read,
            or too small for the characters of the texts, or the texts have no words.
        OSError: a file cannot be written.

    """
    check_least_size(options)
    corpus = Corpus(texts)
    counts = count_words(corpus)
    left_out = sum(counts.pop(word) for word in list(counts) if END in word)
    if not counts:
        raise corpus.nothing_found("the corpus has no words")
    check_size(options, len(alphabet_of(counts)))
    learned = learn(counts, options.vocab_size, progress)
    codes = ["#version: 0.2", *(f"{left} {right}" for left, right in learned.merges)]
    subwords = [f"{_written(name)} {count}" for name, count in learned.tokens.items()]
    for file, lines in ((path, codes), (Path(f"{path}{SIDE_SUFFIXES[0]}"), subwords)):
        atomic_file.write(file, "".join(f"{line}\n" for line in lines).encode())
    notes = fewer_tokens(options, len(learned.tokens))
    if left_out:
        notes += (f"left out, as {END} is the mark of the end: {counted(left_out, 'word')}",)
    return TrainingResult(len(learned.tokens), 0, corpus.size, notes)


def _written(name: str) -> str:
    return name.removesuffix(END) if name.endswith(END) else f"{name}@@"
