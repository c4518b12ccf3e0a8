"""WordPiece by likelihood: BERT's vocab.txt.

The source is Schuster and Nakajima 2012, as the Hugging Face course describes it. Words are those
of BERT: the text is cleaned, and split at white space and punctuation; ``lowercase`` makes it lower
case and removes accents. The pair of pieces with the greatest count(ab) / (count(a) count(b)) is
merged first, if it occurs ``min_frequency`` times (2 by default); of equal scores the least pair of
strings. Hugging Face's trainer of this name merges the most frequent pair.

This score prefers pairs of rare pieces. On 5 MB of source code, 6,000 pieces by score cut it into
2.4 times as many tokens as 6,000 by counts; 5,041 with a ``min_frequency`` of 100, into 1.1 times.

The file has one token a line: ``[PAD]``, ``[UNK]``, ``[CLS]``, ``[SEP]``, ``[MASK]`` and the
special tokens that the user adds, then the pieces, of which those inside words begin with ``##``.
``character_coverage`` leaves out the rarest characters. A word of more than 100 characters, which
BERT never splits into pieces, is not used.

``FILE.json`` has what the list cannot say, with the keys of ``tokenizer_config.json``: whether text
is made lower case, and which further tokens are special. ``hf:`` and ``reference:`` read it there;
``transformers`` reads it under that name in the folder of ``vocab.txt``.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.training import TrainingResult
from tokharness_tokenizers.reference import atomic_file
from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.splitting import join_surrogates
from tokharness_tokenizers.reference.wordpiece_training import (
    alphabet_of,
    count_words,
    join,
    merges,
)
from tokharness_tokenizers.trainers._corpus import (
    Corpus,
    character_coverage,
    check_least_size,
    check_size,
    counted,
    fewer_tokens,
    refuse_repeated,
)
from tokharness_tokenizers.trainers._corpus import library_spec as spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokharness.training import TrainingOptions

__all__ = ["NAME", "OPTIONS", "SIDE_SUFFIXES", "SPECIAL_TOKENS", "spec", "train"]

NAME = "wordpiece"
OPTIONS = ("character_coverage", "lowercase", "min_frequency", "special_tokens")
SIDE_SUFFIXES = (".json",)
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def train(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train on texts and write the pieces to ``path``, with the settings in its side file.

    Raises:
        UsageError: an option is invalid, which is checked before the first text is read, or the
            vocabulary size is too small for the characters of the texts, or they have no words.
        OSError: a file cannot be written.

    """
    check_least_size(options)
    special = _special_tokens(options)
    coverage = character_coverage(options, default=1.0)
    minimum = _minimum(options)
    corpus = Corpus(texts)
    counts = count_words(corpus, lowercase=bool(options.lowercase))
    lost = _leave_out(counts, coverage)
    if not counts:
        raise corpus.nothing_found("the corpus has no words")
    pieces = dict.fromkeys(alphabet_of(counts))
    check_size(options, len(pieces), ", or a smaller --character-coverage")
    for left, right in merges(counts, minimum):
        if len(pieces) == options.vocab_size:
            break
        pieces[join(left, right)] = None
        progress(len(pieces))
    lines = dict.fromkeys([*special, *pieces])
    for file, text in (
        (path, "".join(f"{line}\n" for line in lines)),
        (Path(f"{path}{SIDE_SUFFIXES[0]}"), _settings(options)),
    ):
        atomic_file.write(file, text.encode())
    notes = fewer_tokens(options, len(pieces), minimum)
    if lost:
        notes += (f"left out: {counted(lost, 'rare character')}; a word that has one is [UNK]",)
    return TrainingResult(len(lines) - len(special), len(special), corpus.size, notes)


def _settings(options: TrainingOptions) -> str:
    """Return the content of the side file."""
    settings = {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": bool(options.lowercase),
        "additional_special_tokens": list(options.special_tokens),
    }
    return json.dumps(settings, indent=2) + "\n"


def _special_tokens(options: TrainingOptions) -> Sequence[str]:
    special = (*SPECIAL_TOKENS, *options.special_tokens)
    refuse_repeated(options.special_tokens, SPECIAL_TOKENS)
    for text in special:
        if text.split(maxsplit=1) != [text] or join_surrogates(text) != text:
            raise UsageError(
                f"{text!r} cannot be a line of vocab.txt: a special token has visible text "
                "without white space or lone surrogates"
            )
    return special


def _minimum(options: TrainingOptions) -> int:
    minimum = 2 if options.min_frequency is None else options.min_frequency
    if minimum < 1:
        raise UsageError(f"--min-frequency is at least 1, not {minimum}")
    return minimum


def _leave_out(counts: Counter[str], coverage: float) -> int:
    """Remove words that are unknown when they are encoded; return the number of rare characters.

    The most frequent characters are kept until they cover the fraction of all characters.
    """
    characters: Counter[str] = Counter()
    for word, count in counts.items():
        for char in word:
            characters[char] += count
    by_rank = sorted(characters, key=lambda char: (-characters[char], char))
    wanted = coverage * characters.total()
    covered = accumulate((characters[char] for char in by_rank), initial=0)
    rare = {char for char, before in zip(by_rank, covered, strict=False) if before >= wanted}
    longest = WordPiece({}).max_characters
    for word in list(counts):
        if len(word) > longest or not rare.isdisjoint(word):
            del counts[word]
    return len(rare)
