"""The Unigram language model (Kudo 2018, "Subword Regularization").

Among all ways to cut a word into pieces, the way with the highest sum of scores (log probabilities)
is taken, by Viterbi's algorithm. A character that is not a piece scores as the unknown token: ten
less than the lowest score (SentencePiece, ``unigram_model.cc``).

If a character is not a piece and there is no unknown token, Hugging Face's library raises an error,
even if there are tokens for its bytes; here these tokens are used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

UNKNOWN_PENALTY = 10.0


class Tables:
    """Tables of pieces, which altered copies of a model share."""

    def __init__(self, pieces: Sequence[tuple[str, float]]) -> None:
        self.pieces = pieces

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The id of each piece."""
        return {text: number for number, (text, _) in enumerate(self.pieces)}

    @cached_property
    def scores(self) -> dict[str, float]:
        """The score of each piece that is not empty; of pieces with the same text, the later."""
        return {text: self.pieces[number][1] for text, number in self.vocabulary.items() if text}

    @cached_property
    def lengths(self) -> dict[str, tuple[int, ...]]:
        """The lengths of the pieces of two characters and more, as of `lengths_by_start`."""
        return lengths_by_start(self.vocabulary)


LONG = 4
"""Number of characters by which longer pieces are found."""


def lengths_by_start(pieces: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the lengths of pieces by their start, shortest first.

    The start has two characters, and four for a piece of at least as many: few of the lengths of
    all pieces that begin with two characters are those of a piece at a place of a text.
    """
    lengths: dict[str, set[int]] = {}
    for text in pieces:
        if len(text) > 1:
            lengths.setdefault(text[: LONG if len(text) >= LONG else 2], set()).add(len(text))
    same: dict[tuple[int, ...], tuple[int, ...]] = {}  # most starts have the same few lengths
    ordered = {start: tuple(sorted(found)) for start, found in lengths.items()}
    return {start: same.setdefault(found, found) for start, found in ordered.items()}


def lengths_at(lengths: Mapping[str, tuple[int, ...]], word: str, at: int) -> tuple[int, ...]:
    """Return the lengths that pieces at a place of a text may have, shortest first."""
    short, long = word[at : at + 2], word[at : at + LONG]
    if short == long:  # the word ends here
        return lengths.get(short, ())
    return *lengths.get(short, ()), *lengths.get(long, ())


@dataclass(frozen=True)
class Unigram:
    """A vocabulary of pieces with scores.

    Attributes:
        pieces: Text and score of each piece; its place is its id. Of two pieces with the same text,
            the later piece counts.
        unknown: The id of the unknown token, or None.
        byte_fallback: Whether the bytes of an unknown character are tokens such as ``<0xE2>``,
            if each byte has a token.
        shared: The tables of another model, which are used if it has the same pieces.

    """

    pieces: Sequence[tuple[str, float]] = field(repr=False)
    unknown: int | None = None
    byte_fallback: bool = False
    shared: Tables | None = field(default=None, repr=False, compare=False)

    @cached_property
    def tables(self) -> Tables:
        """The tables of the pieces."""
        shared = self.shared
        return Tables(self.pieces) if shared is None or shared.pieces is not self.pieces else shared

    @property
    def vocabulary(self) -> dict[str, int]:
        """The id of each piece."""
        return self.tables.vocabulary

    @property
    def piece_scores(self) -> dict[str, float]:
        """The score of each piece that is not empty; of pieces with the same text, the later."""
        return self.tables.scores

    @property
    def score_of_piece(self) -> Callable[[str], float | None]:
        """Returns the score of a piece for a search of the best path; None for any other text."""
        return self.tables.scores.get

    @cached_property
    def unknown_score(self) -> float:
        """The score of a character that is not a piece."""
        return min((score for _, score in self.pieces), default=0.0) - UNKNOWN_PENALTY

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token, or None."""
        return self.unknown

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word.

        Neighbouring unknown characters are one token, and so are unknown characters next to the
        text of the unknown token itself, such as ``<unk>``, which is a piece. The first byte of a
        character has this character, and its other bytes have none. (The library gives each byte
        all characters of such a run.)

        Raises:
            KeyError: a character is not a piece, and there is no unknown token.

        """
        vocabulary, unknown = self.vocabulary, self.unknown
        tokens: list[tuple[int, int]] = []
        run = ""
        for piece in self._best_path(word):
            number = vocabulary.get(piece)
            if number is None or number == unknown:
                run += piece
                continue
            if run:
                tokens += self._of_run(run)
                run = ""
            tokens.append((number, len(piece)))
        return [*tokens, *self._of_run(run)] if run else tokens

    def score(self, ids: Sequence[int]) -> float:
        """Return the sum of the scores of tokens; an id without a piece scores as unknown."""
        return sum(map(self._score_of, ids))

    def _score_of(self, number: int) -> float:
        is_piece = number != self.unknown and 0 <= number < len(self.pieces)
        return self.pieces[number][1] if is_piece else self.unknown_score

    def _best_path(self, word: str) -> list[str]:
        """Return the pieces, and the unknown characters, with the highest sum of scores.

        Of two ways with the same score, the way whose last piece begins first is taken.
        """
        score_of, lengths, size = self.score_of_piece, self.tables.lengths, len(word)
        best, begin = [0.0] + [float("-inf")] * size, [-1] * (size + 1)
        for start, first in enumerate(word):
            here, end = best[start], start + 1
            piece = score_of(first)
            score = here + (self.unknown_score if piece is None else piece)
            if score > best[end] or begin[end] < 0:
                best[end], begin[end] = score, start
            for length in lengths_at(lengths, word, start):
                end = start + length
                if end > size:
                    break
                piece = score_of(word[start:end])
                if piece is not None and (here + piece > best[end] or begin[end] < 0):
                    best[end], begin[end] = here + piece, start
        return list(_path(word, begin))[::-1]

    def _of_run(self, text: str) -> list[tuple[int, int]]:
        number = self.vocabulary.get(text)
        return self._unknown_tokens(text) if number is None else [(number, len(text))]

    def _unknown_tokens(self, text: str) -> list[tuple[int, int]]:
        if self.byte_fallback:
            byte_ids = self._byte_ids
            rows = [
                (byte_ids[byte], int(place == 0))
                for char in text
                for place, byte in enumerate(char.encode())
            ]
            tokens = [(token, length) for token, length in rows if token is not None]
            if len(tokens) == len(rows):
                return tokens
        if self.unknown is None:
            raise KeyError(f"no piece stands for {text!r}, and there is no unknown token")
        return [(self.unknown, len(text))]

    @cached_property
    def _byte_ids(self) -> list[int | None]:
        return [self.vocabulary.get(f"<0x{byte:02X}>") for byte in range(0x100)]


def _path(word: str, begin: list[int]) -> Iterator[str]:
    end = len(word)
    while end:
        yield word[begin[end] : end]
        end = begin[end]
