"""Expectation maximization of a Unigram model: formulas to read, and many words at once.

The probability of a word is the sum of the probabilities of all ways to cut it into pieces; the
probability of a way is the product of the probabilities of its pieces. The expected count of a
piece is the sum over all ways, weighted by their shares of this probability. Dynamic programming
from both ends adds up all ways (the forward-backward algorithm).

A character that is not a piece scores ten less than the lowest score (``unigram_model.cc``).
SentencePiece 0.2.3 adds the expected counts of such characters to the count of its first piece.
Here they are added to no count.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

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


# Expected counts and best segmentations of many words at once, by their suffixes.
#
# The probability of a suffix does not depend on the text before it, so that it is computed only
# once for all words that end with it. An expected count is a derivative of the log likelihood: the
# derivative by the probability of a piece, times this probability (Eisner 2016, "Inside-Outside and
# Forward-Backward Algorithms Are Just Backprop"). Therefore a pass from the longest suffix to the
# shortest replaces the forward pass.
#
# Probabilities are plain numbers here, for speed. Each is divided by the mean probability of a text
# of its length, so that the probabilities of long suffixes fit into a double. This has no effect on
# the counts. Words that do not fit are left to :func:`.expectation.expected_counts`.

_Row: TypeAlias = "tuple[tuple[int, int], ...]"

_LEAST: Final = 1e-250
_MOST: Final = 1e250


_SHARED: Final = 64
"""Length of the longest suffix that words share: texts of longer suffixes take much memory."""


@dataclass(slots=True)
class Suffixes:
    """The suffixes of words, each suffix after the suffixes that it ends with.

    Attributes:
        words: The number of each word as a suffix, the word, and how often it occurs.
        pieces: All characters, and other pieces; the place of a piece is its number.
        rows: For each suffix, the pieces that it begins with, the shortest first, each with the
            suffix that is left after it. The empty suffix has the number 0 and no row.

    """

    words: list[tuple[int, str, int]] = field(repr=False)
    pieces: list[str] = field(repr=False)
    rows: list[_Row] = field(repr=False)

    @classmethod
    def of(cls, words: Mapping[str, int], pieces: Collection[str]) -> Suffixes:
        """Return the suffixes of words, with the pieces in them."""
        known = {piece: number for number, piece in enumerate(pieces)}
        longest = max(map(len, pieces), default=0)
        texts = {
            word[at:] for word in words for at in range(max(len(word) - _SHARED, 0), len(word))
        }
        numbers = {"": 0}
        rows = []
        for text in sorted(texts, key=len):
            lengths = range(1, min(longest, len(text)) + 1)
            found = [(known.get(text[:length]), length) for length in lengths]
            rows.append(tuple([(n, numbers[text[at:]]) for n, at in found if n is not None]))
            numbers[text] = len(rows)
        numbered = []
        for word, count in words.items():
            shared = word[-_SHARED:]
            after = deque(numbers[shared[at:]] for at in range(len(shared) + 1))
            for start in reversed(range(len(word) - len(shared))):
                text = word[start : start + longest]
                found = [(known.get(text[:length]), length) for length in range(1, len(text) + 1)]
                rows.append(tuple([(n, after[at - 1]) for n, at in found if n is not None]))
                after.appendleft(len(rows))
            numbered.append((after[0], word, count))
        return cls(numbered, list(pieces), rows)

    def keep(self, scores: Mapping[str, float]) -> None:
        """Forget pieces without a score, except characters, which may be unknown."""
        kept = [piece in scores or len(piece) == 1 for piece in self.pieces]
        if not all(kept):
            self.rows = [tuple([edge for edge in row if kept[edge[0]]]) for row in self.rows]

    def expected(self, scores: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Return the result of :func:`.expectation.expected_counts`."""
        each = _log_likelihood_of_character(scores)
        weights = [
            math.exp(score - each * len(piece))
            for piece, score in zip(self.pieces, self._scores(scores), strict=True)
        ]
        inside = self._inside(weights)
        likelihood, slopes, apart = 0.0, [0.0] * len(inside), {}
        beyond = self._beyond_range(inside)
        for number, word, count in self.words:
            if beyond[number]:
                apart[word] = count
            else:
                likelihood += count * (math.log(inside[number]) + each * len(word))
                slopes[number] = count / inside[number]
        inside = [0.0 if out else weight for out, weight in zip(beyond, inside, strict=True)]
        counts = self._expected(weights, inside, slopes)
        expected, more = expected_counts(apart, scores)
        for number, piece in enumerate(self.pieces):
            if piece in scores:
                expected[piece] = expected.get(piece, 0.0) + counts[number]
        return expected, likelihood + more

    def _inside(self, weights: list[float]) -> list[float]:
        """Return the weight of each suffix: the sum over all ways to cut it."""
        inside = [1.0]
        for row in self.rows:
            total = 0.0
            for piece, rest in row:
                total += weights[piece] * inside[rest]
            inside.append(total)
        return inside

    def _beyond_range(self, inside: list[float]) -> list[bool]:
        """Return for each suffix whether its weight, or a weight inside it, is out of range."""
        beyond = [not _LEAST < weight < _MOST for weight in inside]
        if any(beyond):
            for number, row in enumerate(self.rows, 1):
                beyond[number] |= beyond[row[0][1]]
        return beyond

    def _expected(
        self, weights: list[float], inside: list[float], slopes: list[float]
    ) -> list[float]:
        """Return the expected count of each piece.

        ``slopes`` has the derivative of the log likelihood by the weight of each suffix as a word;
        the derivative by its weight in all words is added.
        """
        expected = [0.0] * len(weights)
        for row, slope in zip(reversed(self.rows), reversed(slopes), strict=False):
            for piece, rest in row:
                part = slope * weights[piece]
                slopes[rest] += part
                expected[piece] += part * inside[rest]
        return expected

    def best_counts(self, scores: Mapping[str, float]) -> dict[str, int]:
        """Return how often each piece is in the best segmentations of the words (Viterbi)."""
        numbers = self._scores(scores)
        best, choices = [0.0], []
        for row in self.rows:
            most, choice = -math.inf, row[0]
            for edge in row:
                score = numbers[edge[0]] + best[edge[1]]
                if score >= most:
                    most, choice = score, edge
            best.append(most)
            choices.append(choice)
        passes = [0] * len(best)
        for number, _, count in self.words:
            passes[number] = count
        found = [0] * len(numbers)
        for number in range(len(choices), 0, -1):
            piece, rest = choices[number - 1]
            passes[rest] += passes[number]
            found[piece] += passes[number]
        return {piece: found[n] for n, piece in enumerate(self.pieces) if piece in scores}

    def _scores(self, scores: Mapping[str, float]) -> list[float]:
        unknown = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
        return [
            scores.get(piece, unknown if len(piece) == 1 else -math.inf) for piece in self.pieces
        ]


def _log_likelihood_of_character(scores: Mapping[str, float]) -> float:
    """Return the mean log likelihood of a character in a text that the model makes."""
    weights = {piece: math.exp(score) for piece, score in scores.items()}
    length = sum(weight * len(piece) for piece, weight in weights.items())
    return sum(weight * scores[piece] for piece, weight in weights.items()) / (length or 1.0)
