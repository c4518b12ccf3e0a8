"""Training of a Unigram model on counted words: EM, pruning, and the final vocabulary."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.sentencepiece_training.words import UNKNOWN, count_segments
from tokharness_tokenizers.reference.unigram_training.expectation import (
    UNKNOWN_PENALTY,
    Suffixes,
    maximize,
)
from tokharness_tokenizers.reference.unigram_training.seeds import seed_scores

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.sentencepiece_training.words import PieceRules, Words

__all__ = ["learn_pieces", "loss", "other_ways", "prune", "reachable"]


# Pruning: the pieces whose removal costs the least likelihood are dropped.
#
# Kudo 2018, section 3.2: the loss of a piece is the decrease of the corpus likelihood without it.
# SentencePiece (``unigram_model_trainer.cc``) estimates the loss: each piece of the best
# segmentation would be cut in the best other way, and the counts would change accordingly.


def prune(scores: Mapping[str, float], counts: Mapping[str, int], size: int) -> dict[str, float]:
    """Return the ``size`` pieces with the greatest losses, with their scores.

    ``counts`` has the number of occurrences of each piece in the best segmentations of the words.
    Pieces without occurrences are dropped, too. Pieces that cannot be cut in another way stay.
    """
    total = sum(counts.values())
    used = [piece for piece in scores if counts.get(piece)]
    kept: list[str] = []
    losses: dict[str, float] = {}
    for piece, (parts, score) in zip(used, other_ways(used, scores), strict=True):
        if not parts:
            kept.append(piece)
        elif score <= scores[piece]:
            others = [counts.get(part, 0) for part in parts]
            losses[piece] = loss(counts[piece], others, total)
    kept += sorted(losses, key=losses.__getitem__, reverse=True)[: max(size - len(kept), 0)]
    return {piece: scores[piece] for piece in kept}


def loss(count: int, others: Sequence[int], total: int) -> float:
    """Return how much the log likelihood of a token falls, on average, without a piece.

    ``count`` is the count of the piece, ``others`` has the counts of the pieces that it would be
    cut into, and ``total`` is the number of all tokens.
    """
    before = math.log(count) - math.log(total)
    new_total = math.log(total + count * (len(others) - 1))
    after = sum(math.log(other + count) - new_total for other in others)
    return count / total * (before - after)


def reachable(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the pieces whose score no other way to cut their text exceeds."""
    return {
        piece: scores[piece]
        for piece, (parts, score) in zip(scores, other_ways(scores, scores), strict=True)
        if not parts or score <= scores[piece]
    }


def other_ways(
    pieces: Collection[str], scores: Mapping[str, float]
) -> Iterator[tuple[list[str], float]]:
    """Yield for each piece the best way to cut its text that is not the piece itself.

    A way has a score. It may have characters that are not pieces. It is empty for a character.
    """
    unknown = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
    for piece in pieces:
        length = len(piece)
        best = [0.0, *[-math.inf] * length]
        begin = [0] * (length + 1)
        for start in range(length):
            here = best[start]
            for stop in range(start + 1, length + (start > 0)):
                score = scores.get(piece[start:stop])
                if score is None:
                    if stop > start + 1:
                        continue
                    score = unknown
                if here + score > best[stop]:
                    best[stop], begin[stop] = here + score, start
        yield _best_parts(piece, begin) if length > 1 else [], best[length]


def _best_parts(piece: str, begin: Sequence[int]) -> list[str]:
    parts, stop = [], len(piece)
    while stop:
        parts.append(piece[begin[stop] : stop])
        stop = begin[stop]
    return parts[::-1]


SEEDS: Final = 1_000_000
"""The number of seeds, without characters (``seed_sentencepiece_size``)."""
EM_STEPS: Final = 2
"""The number of EM steps before each pruning (``num_sub_iterations``)."""
KEPT: Final = 0.75
"""The share of the vocabulary that a pruning keeps (``shrinking_factor``)."""
MARGIN: Final = 1.1
"""Factor of the wanted size at which pruning ends; scores decide about the last pieces."""
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

    ``reserved`` is the number of other pieces of the vocabulary; the margin of pruning includes
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

    A dropped character of the alphabet gets the lowest score, and each less frequent such character
    slightly less. (SentencePiece gives it slightly more, although its comment says the opposite.)
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
