"""Expectation maximization of a Unigram model, as formulas to read.

The probability of a word is the sum over all ways to cut it into pieces; that of a way is the
product of the probabilities of its pieces. The expected count of a piece is the sum over all ways,
weighted by their shares of this probability. Dynamic programming from both ends adds up all ways
(the forward-backward algorithm).

A character that is no piece scores ten less than the lowest score (``unigram_model.cc``).
SentencePiece 0.2.3 adds the expected counts of such characters to those of its first piece. Here
they are added to none.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["UNKNOWN_PENALTY", "best_path", "digamma", "edges", "expected_counts", "maximize"]

UNKNOWN_PENALTY: Final = 10.0
_LEAST_COUNT: Final = 0.5


def expected_counts(
    counts: Mapping[str, int], scores: Mapping[str, float]
) -> tuple[dict[str, float], float]:
    """Return the expected count of each piece, and the log likelihood of the words (the E step).

    ``counts`` maps words to counts, and ``scores`` pieces to log probabilities.
    """
    expected: defaultdict[str, float] = defaultdict(float)
    likelihood = 0.0
    for word, count in counts.items():
        found = edges(word, scores)
        before = [0.0] + [-math.inf] * len(word)
        for start, stop, score in found:
            before[stop] = _log_sum(before[stop], before[start] + score)
        after = [-math.inf] * len(word) + [0.0]
        for start, stop, score in reversed(found):
            after[start] = _log_sum(after[start], score + after[stop])
        total = after[0]
        likelihood += count * total
        for start, stop, score in found:
            if (piece := word[start:stop]) in scores:
                expected[piece] += count * math.exp(before[start] + score + after[stop] - total)
    return dict(expected), likelihood


def edges(word: str, scores: Mapping[str, float]) -> list[tuple[int, int, float]]:
    """Return start, end and score of each piece in a word, in the order of starts, then ends."""
    longest = max(map(len, scores), default=1)
    unknown = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
    found = []
    for start in range(len(word)):
        for stop in range(start + 1, min(start + longest, len(word)) + 1):
            score = scores.get(word[start:stop], unknown if stop == start + 1 else None)
            if score is not None:
                found.append((start, stop, score))
    return found


def _log_sum(left: float, right: float) -> float:
    """Return the logarithm of the sum of two numbers given by their logarithms."""
    low, high = sorted((left, right))
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def best_path(
    length: int, found: Iterable[tuple[int, int, float]]
) -> tuple[list[tuple[int, int]], float]:
    """Return the pieces of the best way through the edges of a word, and its score (Viterbi).

    Of two ways with the same score, the one whose last piece begins first is taken.
    """
    best = [0.0] + [-math.inf] * length
    begin = [0] * (length + 1)
    for start, stop, score in found:
        if best[start] + score > best[stop]:
            best[stop], begin[stop] = best[start] + score, start
    path, stop = [], length
    while stop:
        path.append((begin[stop], stop))
        stop = begin[stop]
    return path[::-1], best[length]


def maximize(expected: Mapping[str, float]) -> dict[str, float]:
    """Return the scores that follow from expected counts (the M step).

    A piece whose expected count is below one half is dropped. A score is not the logarithm of the
    share, as in Kudo's paper, but a difference of digammas: variational Bayes with a sparse prior,
    for which SentencePiece cites the tutorial of Liang and Klein at ACL 2007.
    """
    kept = {piece: count for piece, count in expected.items() if count >= _LEAST_COUNT}
    total = digamma(sum(kept.values())) if kept else 0.0
    return {piece: digamma(count) - total for piece, count in kept.items()}


def digamma(x: float) -> float:
    """Return the logarithmic derivative of the gamma function at a positive number.

    Abramowitz and Stegun: the series 6.3.18, and below ten the recurrence 6.3.5.
    """
    shift = 0.0
    while x < 10.0:
        shift += 1.0 / x
        x += 1.0
    square = 1.0 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    return math.log(x) - 0.5 / x - series - shift
