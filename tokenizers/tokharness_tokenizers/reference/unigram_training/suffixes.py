"""Expected counts and best segmentations of many words at once, by their suffixes.

The probability of a suffix does not depend on what is before it, so it is computed once for all
words that end with it. An expected count is a derivative of the log likelihood: that by the
probability of a piece, times this probability (Eisner 2016, "Inside-Outside and Forward-Backward
Algorithms Are Just Backprop"). So a pass from the longest suffix to the shortest replaces the
forward pass.

Probabilities are plain numbers here, for speed. Each is divided by the probability of so many
characters on average, so that those of long suffixes fit into a double. This has no effect on the
counts. Words that do not fit are left to :func:`.expectation.expected_counts`.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from tokharness_tokenizers.reference.unigram_training.expectation import (
    UNKNOWN_PENALTY,
    expected_counts,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

__all__ = ["Suffixes"]

_Row: TypeAlias = "tuple[tuple[int, int], ...]"

_LEAST: Final = 1e-250
_MOST: Final = 1e250


_SHARED: Final = 64
"""The length of the longest suffix that words share: the texts of longer ones take much memory."""


@dataclass(slots=True)
class Suffixes:
    """The suffixes of words, each after those that it ends with.

    Attributes:
        words: The number of each word as a suffix, the word, and how often it occurs.
        pieces: All characters, and other pieces; its place is the number of a piece.
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
        """Forget the pieces that have no score, but not characters, which may be unknown."""
        kept = [piece in scores or len(piece) == 1 for piece in self.pieces]
        if not all(kept):
            self.rows = [tuple([edge for edge in row if kept[edge[0]]]) for row in self.rows]

    def expected(self, scores: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Return what :func:`.expectation.expected_counts` returns."""
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
        """Return for each suffix whether its weight or that of one in it is too large or small."""
        beyond = [not _LEAST < weight < _MOST for weight in inside]
        if any(beyond):
            for number, row in enumerate(self.rows, 1):
                beyond[number] |= beyond[row[0][1]]
        return beyond

    def _expected(
        self, weights: list[float], inside: list[float], slopes: list[float]
    ) -> list[float]:
        """Return the expected count of each piece.

        ``slopes`` has the derivative of the log likelihood by the weight of each suffix as a word,
        and gets that by its weight in all words.
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
