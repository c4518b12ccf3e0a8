"""What an engine may do in the place of a model: another order, another search, another unknown."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import (
    Best,
    SentencePieceUnigram,
)
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.word_level import WordLevel
from tokharness_tokenizers.reference.models.wordpiece import WordPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["departing_models"]

Tokens = list[tuple[int, int]]

RIGHTMOST = "the rightmost of equal pairs is merged first"
LONGEST = "the longest piece counts"

MOST = 400
"""Characters of a word that the textbook algorithm merges; it takes quadratic time."""


def departing_models(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield what an engine may do in the place of a model, and the model that does it."""
    kinds: list[tuple[str, Any]] = []
    if isinstance(model, Pieces):
        yield from (
            (what, replace(model, model=one)) for what, one in departing_models(model.model)
        )
    elif isinstance(model, BPE):
        kinds = [(RIGHTMOST, _RightmostFirst)]
        yield from _other_merges(model)
    elif isinstance(model, SentencePieceBPE):
        kinds = [(RIGHTMOST, _RightmostFirstPieces)]
        rounded = [float(round(score)) for score in model.scores]
        yield "scores are whole numbers", replace(model, scores=rounded)
    elif isinstance(model, SentencePieceUnigram):
        kinds = [(LONGEST, _LongestPieces)]
    elif isinstance(model, Unigram):
        kinds = [(LONGEST, _LongestPiece), ("unknown characters are not joined", _Unjoined)]
    elif isinstance(model, WordPiece):
        kinds = [("only the rest of a word is unknown", _UnknownRest)]
        if model.prefix:
            yield "pieces that begin a word continue it", replace(model, prefix="")
    elif isinstance(model, WordLevel):
        kinds = [("words are found in lower case, too", _AnyCase)]
    settings = {field.name: getattr(model, field.name) for field in fields(model)} if kinds else {}
    for what, kind in kinds:
        yield what, kind(**settings)


def _other_merges(model: BPE) -> Iterator[tuple[str, BPE]]:
    yield "merges are in alphabetical order", replace(model, merges=sorted(model.merges))
    yield "last merges first", replace(model, merges=model.merges[::-1])
    if model.suffix:
        yield "the last letter does not end a word", replace(model, suffix="")


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


class _RightmostFirstPieces(SentencePieceBPE):
    """A BPE of pieces that merges the last of equal pairs first: the mirror of the other one."""

    @cached_property
    def _mirrored(self) -> SentencePieceBPE:
        mirrored = {text[::-1]: number for text, number in self.vocabulary.items()}
        defined = tuple(text[::-1] for text in self.user_defined)
        return SentencePieceBPE(mirrored, self.scores, self.unknown, defined, self.unused)

    def tokens(self, word: str, skips: Any = bool) -> Tokens:
        return self._mirrored.tokens(word[::-1], skips)[::-1]


class _LongestPieces(SentencePieceUnigram):
    """A Unigram model that takes the longest piece at each place."""

    def best(self, word: str) -> Best:
        return Best(self._longest(word), [], 0.0, float("inf"))

    def tokens(self, word: str) -> Tokens:
        return self._longest(word)

    def _longest(self, word: str) -> Tokens:
        tokens, start = [], 0
        while start < len(word):
            lengths = self.lengths.get(word[start : start + 2], ())[::-1]
            fits = (one for one in lengths if word[start : start + one] in self.piece_scores)
            length = next(fits, 1)
            piece = word[start : start + length]
            tokens.append((self.vocabulary.get(piece, self.unknown), length))
            start += length
        return tokens


class _LongestPiece(Unigram):
    """A Unigram model that takes the longest piece at each place."""

    def _best_path(self, word: str) -> list[str]:
        path, start = [], 0
        while start < len(word):
            ends = (start + length for length in self._lengths.get(word[start], ())[::-1])
            fits = (end for end in ends if word[start:end] in self._scores)
            end = next(fits, start + 1)
            path.append(word[start:end])
            start = end
        return path


class _Unjoined(Unigram):
    """A Unigram model with an unknown token for each unknown character."""

    def _unknown_tokens(self, text: str) -> Tokens:
        each = super()._unknown_tokens
        return [token for char in text for token in each(char)]


class _AnyCase(WordLevel):
    """A WordLevel model that looks for words in lower case."""

    __slots__ = ()

    def tokens(self, word: str) -> Tokens:
        return super().tokens(word.lower())


class _UnknownRest(WordPiece):
    """A WordPiece model that keeps the pieces before what it does not have."""

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
