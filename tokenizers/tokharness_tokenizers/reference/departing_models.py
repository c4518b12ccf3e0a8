"""What an engine may do in the place of a model: another order, another search, another unknown.

Each departure is a known simplification or mistake of ports: the longest piece from the left in
place of the best path, ties of merges from the other end, an unknown token for each character.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_unigram import (
    Best,
    SentencePieceUnigram,
)
from tokharness_tokenizers.reference.models.unigram import Unigram, lengths_at
from tokharness_tokenizers.reference.models.word_level import WordLevel
from tokharness_tokenizers.reference.models.wordpiece import WordPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

Tokens = list[tuple[int, int]]

RIGHTMOST = "the rightmost of equal pairs is merged first"
LATER = "the token of a character or the token of its byte counts, whichever id is larger"
LONGEST = "the longest piece counts"

MOST = 400
"""Most characters of a word that the textbook algorithm merges, in quadratic time."""


def departing_models(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield departures of engines from a model: a description, and the departing model."""
    kinds: list[tuple[str, Any]] = []
    if isinstance(model, Pieces):
        yield from (
            (what, replace(model, model=one)) for what, one in departing_models(model.model)
        )
    elif isinstance(model, BPE):
        kinds = [(RIGHTMOST, _RightmostFirst), *_of_bytes(model)]
        if model.suffix:
            yield "the last letter does not end a word", replace(model, suffix="")
    elif isinstance(model, SentencePieceUnigram):
        kinds = [(LONGEST, _LongestPieces)]
    elif isinstance(model, Unigram):
        model = replace(model, shared=model.tables)
        kinds = [(LONGEST, _LongestPiece), ("unknown characters are not joined", _Unjoined)]
    elif isinstance(model, WordPiece):
        kinds = [
            ("only the rest of a word is unknown", _UnknownRest),
            ("the limit of a word counts bytes", _LimitInBytes),
        ]
        if model.prefix:
            yield "pieces that begin a word continue it", replace(model, prefix="")
    elif isinstance(model, WordLevel):
        kinds = [("words are looked for in lower case", _LowerCase)]
    settings = {field.name: getattr(model, field.name) for field in fields(model)} if kinds else {}
    for what, kind in kinds:
        yield what, kind(**settings)


class _RightmostFirst(BPE):
    """A BPE that merges the last of equal pairs first."""

    def tokens(self, word: str) -> Tokens:
        parts = self.first_tokens(word)
        if len(parts) > MOST:
            raise KeyError(f"a word has more than {MOST} characters")
        if self.ignore_merges and word in self.vocabulary:
            return [(self.vocabulary[word], len(word))]
        while found := [
            (self.pairs[pair], -at)
            for at in range(len(parts) - 1)
            if (pair := (parts[at][0], parts[at + 1][0])) in self.pairs
        ]:
            (_, merged), at = min(found)
            parts[-at : 2 - at] = [(merged, parts[-at][1] + parts[1 - at][1])]
        return parts


def _of_bytes(model: BPE) -> list[tuple[str, Any]]:
    return [(LATER, _LaterToken)] if model.byte_fallback and _later_tokens(model) else []


def _later_tokens(model: BPE) -> dict[int, int]:
    """Return the id of each ASCII character with the id of its byte, where that is larger."""
    later = {}
    for byte in range(0x80):
        own, other = model.vocabulary.get(chr(byte)), model.vocabulary.get(f"<0x{byte:02X}>")
        if own is not None and other is not None and own < other:
            later[own] = other
    return later


class _LaterToken(BPE):
    """A BPE that has one token for each byte, which is the last token of it in the vocabulary."""

    @cached_property
    def _exchanged(self) -> dict[int, int]:
        return _later_tokens(self)

    def tokens(self, word: str) -> Tokens:
        known = self._exchanged
        return [(known.get(number, number), length) for number, length in super().tokens(word)]


def _longest_first(
    word: str, lengths_at: Callable[[int], Sequence[int]], known: Container[str]
) -> list[str]:
    """Cut a word from the left into the longest pieces, or a single character without a piece."""
    path: list[str] = []
    start = 0
    while start < len(word):
        fits = (n for n in reversed(lengths_at(start)) if word[start : start + n] in known)
        length = next(fits, 1)
        path.append(word[start : start + length])
        start += length
    return path


class _LongestPieces(SentencePieceUnigram):
    """A Unigram model that takes the longest piece at each place."""

    def best(self, word: str) -> Best:
        return Best(self.tokens(word), [], 0.0, float("inf"))

    def tokens(self, word: str) -> Tokens:
        path = _longest_first(
            word, lambda at: lengths_at(self.lengths, word, at), self.piece_scores
        )
        return [(self.vocabulary.get(piece, self.unknown), len(piece)) for piece in path]


class _LongestPiece(Unigram):
    """A Unigram model that takes the longest piece at each place."""

    def _best_path(self, word: str) -> list[str]:
        return _longest_first(
            word, lambda at: lengths_at(self.tables.lengths, word, at), self.piece_scores
        )


class _Unjoined(Unigram):
    """A Unigram model with an unknown token for each unknown character."""

    def _unknown_tokens(self, text: str) -> Tokens:
        each = super()._unknown_tokens
        return [token for char in text for token in each(char)]


class _UnknownRest(WordPiece):
    """A WordPiece model that keeps the pieces before the part of a word that it does not have."""

    def tokens(self, word: str) -> Tokens:
        if len(word) > self.max_characters:
            return self._whole_unknown(word)
        unknown = self.vocabulary.get(self.unknown)
        for end in range(len(word), 0, -1):
            tokens = super().tokens(word[:end])
            if unknown not in [number for number, _ in tokens]:
                rest = len(word) - end
                return tokens + self._whole_unknown(word[end:]) * bool(rest)
        return self._whole_unknown(word)


class _LimitInBytes(WordPiece):
    """A WordPiece model that limits words by their bytes of UTF-8, as in TensorFlow Text."""

    def tokens(self, word: str) -> Tokens:
        is_long = len(word.encode("utf-8", "surrogatepass")) > self.max_characters
        return self._whole_unknown(word) if is_long else super().tokens(word)


class _LowerCase(WordLevel):
    """A WordLevel model that has one entry for a word in any case."""

    __slots__ = ()

    def tokens(self, word: str) -> Tokens:
        return [(number, len(word)) for number, _ in super().tokens(word.lower())]
