"""The Unigram language model (Kudo 2018) with the arithmetic of SentencePiece.

Among all ways to cut a text into pieces, the way with the highest sum of scores is taken, by
Viterbi's algorithm. SentencePiece adds:

- sums are floats of four bytes, so that either of two ways with nearly the same score may be taken.
  Of ways with equal scores, the way whose last piece begins first is taken,
- a sum beyond 100,000 is subtracted from all sums again (in releases from 0.2.2 on),
- a user-defined piece has the score 0.1 for each byte after its first byte, so that it precedes all
  other pieces,
- a character that is not a piece scores ten less than the lowest normal piece,
- unused pieces are skipped.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.models.unigram import lengths_at, lengths_by_start

if TYPE_CHECKING:
    from collections.abc import Mapping

UNKNOWN_PENALTY: Final = 10.0
MOST: Final = 100_000.0
"""A sum beyond this limit is subtracted from all sums."""
NEVER: Final = float("-inf")


@dataclass(frozen=True, slots=True)
class Best:
    """The best way to cut a text, by exact sums.

    Attributes:
        tokens: The id and the number of characters of each token.
        scores: The score of each token.
        reach: The largest absolute sum of the best ways to a place in the text.
        gap: The least difference of its score from a way that differs in one decision.

    """

    tokens: list[tuple[int, int]]
    scores: list[float]
    reach: float
    gap: float


@dataclass(frozen=True)
class SentencePieceUnigram:
    """Pieces with scores.

    Attributes:
        vocabulary: The ids of the pieces that are used, by text.
        piece_scores: The score of each piece, by text; for a user-defined piece, a bonus.
        unknown_score: The score of a character that is not a piece.
        unknown: The id of a character that is not a piece.

    """

    vocabulary: Mapping[str, int] = field(repr=False)
    piece_scores: Mapping[str, float] = field(repr=False)
    unknown_score: float = -UNKNOWN_PENALTY
    unknown: int = -1

    @cached_property
    def lengths(self) -> dict[str, tuple[int, ...]]:
        """The lengths of the pieces of two characters and more, as of `lengths_by_start`."""
        return lengths_by_start(self.piece_scores)

    def score_of(self, char: str) -> float:
        """Return the score of a character, which may be unknown."""
        return self.piece_scores.get(char, self.unknown_score)

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a text."""
        return self.tokens_after(word, 0.0)[0]

    def tokens_after(self, word: str, before: float) -> tuple[list[tuple[int, int]], float]:
        """Return the tokens of a text after a text with the sum ``before``, and the new sum."""
        scores, lengths, size = self.piece_scores, self.lengths, len(word)
        best = array("f", bytes(4 * (size + 1)))
        best[0] = before
        begin = [-1] * (size + 1)
        rounded = array("f", [0.0])
        for start, first in enumerate(word):
            here = best[start]
            if not -MOST <= here <= MOST:
                here = _take_off(best, begin, start)
            for length in (1, *lengths_at(lengths, word, start)):
                end = start + length
                score = scores.get(word[start:end]) if length > 1 else self.score_of(first)
                if score is None or end > size:
                    continue
                score += here
                if begin[end] < 0 or score > best[end]:
                    rounded[0] = score
                    if begin[end] < 0 or rounded[0] > best[end]:
                        best[end], begin[end] = score, start
        return self._tokens(word, begin), best[size]

    def best(self, word: str) -> Best:
        """Return the best way to cut a text by itself, with exact sums."""
        scores, lengths, size = self.piece_scores, self.lengths, len(word)
        best, second = [NEVER] * (size + 1), [NEVER] * (size + 1)
        best[0] = 0.0
        begin = [-1] * (size + 1)
        single = self.score_of
        for start, first in enumerate(word):
            here, end = best[start], start + 1
            total = here + single(first)
            if total > best[end]:
                second[end], best[end], begin[end] = best[end], total, start
            elif total > second[end]:
                second[end] = total
            for length in lengths_at(lengths, word, start):
                end = start + length
                if end > size:
                    break
                score = scores.get(word[start:end])
                if score is None:
                    continue
                total = here + score
                if total > best[end]:
                    second[end], best[end], begin[end] = best[end], total, start
                elif total > second[end]:
                    second[end] = total
        tokens = self._tokens(word, begin)
        gap, at = -NEVER, 0
        parts = []
        for _, length in tokens:
            parts.append(scores.get(word[at : at + length], self.unknown_score))
            at += length
            gap = min(gap, best[at] - second[at])
        return Best(tokens, parts, max(map(abs, best)), gap)

    def _tokens(self, word: str, begin: list[int]) -> list[tuple[int, int]]:
        """Return the tokens of a text from the start of the token that ends at each place."""
        find, unknown = self.vocabulary.get, self.unknown
        tokens: list[tuple[int, int]] = []
        end = len(word)
        while end:
            start = begin[end]
            tokens.append((find(word[start:end], unknown), end - start))
            end = start
        return tokens[::-1]


def _take_off(best: array[float], begin: list[int], start: int) -> float:
    """Subtract the sum at a place from this sum and from all sums at later places."""
    offset = best[start]
    for place in range(start, len(best)):
        if place == start or begin[place] >= 0:
            best[place] -= offset
    return 0.0
