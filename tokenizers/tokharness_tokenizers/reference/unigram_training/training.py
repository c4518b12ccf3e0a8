"""Training of a Unigram model on counted words: EM, pruning, and the final vocabulary."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.sentencepiece_training.rules import UNKNOWN, count_segments
from tokharness_tokenizers.reference.unigram_training.expectation import maximize
from tokharness_tokenizers.reference.unigram_training.pruning import prune, reachable
from tokharness_tokenizers.reference.unigram_training.seeds import seed_scores
from tokharness_tokenizers.reference.unigram_training.suffixes import Suffixes

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Collection, Mapping

    from tokharness_tokenizers.reference.sentencepiece_training.rules import PieceRules
    from tokharness_tokenizers.reference.sentencepiece_training.words import Words

__all__ = ["learn_pieces"]

SEEDS: Final = 1_000_000
"""The number of seeds, without characters (``seed_sentencepiece_size``)."""
EM_STEPS: Final = 2
"""The number of EM steps before each pruning (``num_sub_iterations``)."""
KEPT: Final = 0.75
"""The part of the vocabulary that one pruning keeps (``shrinking_factor``)."""
MARGIN: Final = 1.1
"""Over the wanted size, where pruning ends; the last pieces go by their scores."""
_STEP: Final = 0.0001


def learn_pieces(
    words: Words,
    rules: PieceRules,
    size: int,
    *,
    reserved: int = 0,
    progress: Callable[[int], object] | None = None,
) -> dict[str, float]:
    """Return at most ``size`` pieces with scores, the highest first, and at least the alphabet.

    ``reserved`` is how many other pieces the vocabulary will have; the margin of pruning includes
    them. ``progress`` is called with sizes between 0 and ``size``, in ascending order.
    """
    seeds = seed_scores(words.followed, words.last, rules, SEEDS)
    total = sum(seeds.values())
    scores = {piece: math.log(score / total) for piece, score in seeds.items()}
    suffixes = Suffixes.of(_parts(words), scores)
    enough = int((size + reserved) * MARGIN)
    start = len(scores)
    while True:
        for _ in range(EM_STEPS):
            expected, _ = suffixes.expected(scores)
            scores = maximize(expected)
            suffixes.keep(scores)
        wanted = max(enough, int(len(scores) * KEPT))
        scores = prune(scores, suffixes.best_counts(scores), wanted)
        suffixes.keep(scores)
        if len(scores) <= enough:
            break
        if progress is not None:
            done = math.log(start / len(scores)) / math.log(start / enough)
            progress(min(int(size * done), size))
    return _final(reachable(scores), words.alphabet, size)


def _parts(words: Words) -> Counter[str]:
    """Count the parts of words that no piece crosses; unknown characters are left out."""
    parts = count_segments(words.counts())
    del parts[UNKNOWN]
    return parts


def _final(scores: Mapping[str, float], alphabet: Collection[str], size: int) -> dict[str, float]:
    """Return the alphabet, and the other pieces with the highest scores, up to a size.

    A character of the alphabet that has been dropped gets the lowest score, and each such character
    that is less frequent slightly less. (SentencePiece gives it slightly more, though its comment
    says the opposite.)
    """
    least = min(scores.values(), default=0.0)
    final: dict[str, float] = {}
    for char in alphabet:
        final[char] = scores.get(char, least)
        least -= 0.0 if char in scores else _STEP
    for piece, score in sorted(scores.items(), key=lambda row: (-row[1], row[0])):
        if len(final) >= size:
            break
        final.setdefault(piece, score)
    return dict(sorted(final.items(), key=lambda row: (-row[1], row[0])))
