"""What an engine may do in the place of a model: another order, another search, another unknown.

Each departure is a known simplification or mistake of ports: the longest piece from the left in
place of the best path, ties of merges from the other end, an unknown token for each character.

Further departures are tried last, since their tables take long to make: a list of merges was sorted
by a tool, or completed from the vocabulary; scores were rounded by a conversion; a search takes the
fewest tokens, as dynamic programming does.
"""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.edited_tokens import short_tokens
from tokharness_tokenizers.reference.merging import Choose, choices, merged_by
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import Best, SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import UNKNOWN_PENALTY, Unigram, lengths_at
from tokharness_tokenizers.reference.models.wordpiece import WordLevel, WordPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence


Tokens = list[tuple[int, int]]

LATER = "the token of a character or the token of its byte counts, whichever id is larger"
LONGEST = "the longest piece counts"

WORD_LIMITS = (50, 64, 128, 200, 256)
"""Limits of the length of a word that ports have in the place of the limit of the file."""

MOST = 1000
"""Most characters of a word that the textbook algorithm merges, in quadratic time."""


def departing_models(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield departures of engines from a model: a description, and the departing model."""
    if isinstance(model, Pieces):
        inner = departing_models(model.model)
        yield from ((what, replace(model, model=one)) for what, one in inner)
        return
    if isinstance(model, Unigram):
        model = replace(model, shared=model.tables)
    for kind, departures in DEPARTURES.items():
        if isinstance(model, kind):
            settings = {one.name: getattr(model, one.name) for one in fields(model)}
            yield from (
                (what, make(**{**settings, **new})) for what, make, new in departures(model)
            )
    if isinstance(model, Unigram | WordPiece):
        yield from short_tokens(model)


Departure = tuple[str, "Callable[..., Any]", "Mapping[str, Any]"]
"""What departs, what makes the model, and the settings that are not the model's."""


def _of_bpe(model: BPE) -> Iterator[Departure]:
    for what, choose in choices(len(model.merges)).items():
        yield what, _OtherChoice, {"choose": choose}
    if model.byte_fallback and _later_tokens(model):
        yield LATER, _LaterToken, {}
    if model.suffix:
        yield "the last letter does not end a word", BPE, {"suffix": ""}


def _of_sentencepiece_unigram(_: SentencePieceUnigram) -> Iterator[Departure]:
    yield LONGEST, _LongestPieces, {}


def _of_unigram(model: Unigram) -> Iterator[Departure]:
    yield LONGEST, _LongestPiece, {}
    yield "unknown characters are not joined", _Unjoined, {}
    if model.byte_fallback:
        both = "byte_fallback is false, and unknown characters are not joined"
        yield both, _Unjoined, {"byte_fallback": False}


def _of_wordpiece(model: WordPiece) -> Iterator[Departure]:
    yield "only the rest of a word is unknown", _UnknownRest, {}
    one = "a character without a piece is unknown, and the word goes on"
    yield one, _UnknownCharacters, {}
    yield "the limit of a word counts bytes", _LimitInBytes, {}
    limits = {*WORD_LIMITS, model.max_characters - 1} - {model.max_characters}
    for limit in sorted(limits, key=lambda limit: abs(limit - model.max_characters)):
        new = {"max_characters": limit}
        yield f"words of more than {limit:,} characters are unknown", WordPiece, new
    yield "a long word is cut as any other", WordPiece, {"max_characters": sys.maxsize}
    if model.prefix:
        yield "pieces that begin a word continue it", WordPiece, {"prefix": ""}


def _of_word_level(_: WordLevel) -> Iterator[Departure]:
    yield "words are looked for in lower case", _LowerCase, {}


@dataclass(frozen=True)
class _OtherChoice(BPE):
    """A BPE that chooses the pair to merge next in another way."""

    choose: Choose = field(kw_only=True)

    def tokens(self, word: str) -> Tokens:
        parts = self.first_tokens(word)
        if len(parts) > MOST:
            raise KeyError(f"a word has more than {MOST} characters")
        if self.ignore_merges and word in self.vocabulary:
            return [(self.vocabulary[word], len(word))]
        return merged_by(self.choose, parts, self._rank, self._joined)

    def _rank(self, left: tuple[int, int], right: tuple[int, int]) -> int | None:
        pair = self.pairs.get((left[0], right[0]))
        return None if pair is None else pair[0]

    def _joined(self, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        return self.pairs[left[0], right[0]][1], left[1] + right[1]


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


class _UnknownCharacters(WordPiece):
    """A WordPiece model with an unknown token for each character at which no piece begins."""

    def tokens(self, word: str) -> Tokens:
        if len(word) > self.max_characters:
            return self._whole_unknown(word)
        tokens: Tokens = []
        start = 0
        while start < len(word):
            rest = self.longest_at(word, start) or self._whole_unknown(word[start])[0]
            tokens.append(rest)
            start += rest[1]
        return tokens


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


DEPARTURES: Final[Mapping[type[Any], Callable[[Any], Iterator[Departure]]]] = {
    BPE: _of_bpe,
    SentencePieceUnigram: _of_sentencepiece_unigram,
    Unigram: _of_unigram,
    WordPiece: _of_wordpiece,
    WordLevel: _of_word_level,
}


LONGEST_CUT: Final = 2000
"""Longest word, in bytes, that is cut into the fewest tokens; the time grows with token lengths."""


def further_models(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield what an engine may do in the place of a model, and the model that does it."""
    if isinstance(model, Pieces):
        for what, inner in further_models(model.model):
            yield what, replace(model, model=inner)
    elif isinstance(model, BPE):
        yield "the merges are sorted", replace(model, merges=sorted(model.merges))
        if further := _further_merges(model):
            what = "tokens without a merge are merged, too"
            yield what, replace(model, merges=[*model.merges, *further])
    elif isinstance(model, ByteTrie):
        yield "the fewest tokens count", _FewestTokens(model.ids)
    else:
        yield from _with_rounded_scores(model)


def _further_merges(model: BPE) -> list[tuple[str, str]]:
    """Return the pairs of tokens that join to a token that no listed merge makes, by its id."""
    ids, skip = model.vocabulary, len(model.prefix)
    made = {left + right[skip:] for left, right in model.merges}
    pairs = (
        (text[:at], model.prefix + text[at:])
        for text in sorted(ids.keys() - made, key=ids.__getitem__)
        for at in range(1, len(text))
    )
    return [pair for pair in pairs if pair[0] in ids and pair[1] in ids]


class _FewestTokens(ByteTrie):
    """A vocabulary of byte strings that cuts bytes into the fewest tokens."""

    def encode(self, data: bytes) -> list[int]:
        if len(data) > LONGEST_CUT:
            raise KeyError(f"a text has more than {LONGEST_CUT:,} bytes")
        fewest: list[tuple[int, int]] = [(0, 0)]
        for end in range(1, len(data) + 1):
            ways = (
                (fewest[end - size][0] + 1, end - size)
                for size in self._sizes
                if size <= end and data[end - size : end] in self.ids
            )
            fewest.append(min(ways, key=lambda way: way[0], default=(len(data) + 1, end - 1)))
        ids: list[int] = []
        end = len(data)
        while end:
            start = fewest[end][1]
            ids.append(self.ids[data[start:end]])  # raises for a byte without a token
            end = start
        return ids[::-1]

    @property
    def _sizes(self) -> list[int]:
        return sorted({len(token) for token in self.ids if token})


def _with_rounded_scores(model: Any) -> Iterator[tuple[str, Any]]:
    for what, to_few in ROUNDED.items():
        if isinstance(model, SentencePieceBPE):
            yield what, replace(model, scores=list(map(to_few, model.scores)))
        elif isinstance(model, SentencePieceUnigram):
            scores = {text: to_few(score) for text, score in model.piece_scores.items()}
            yield what, replace(model, piece_scores=scores)
        elif isinstance(model, Unigram):
            settings = {one.name: getattr(model, one.name) for one in fields(model)}
            yield what, _Rounded(**{**settings, "shared": model.tables}, to_few=to_few)


@dataclass(frozen=True)
class _Rounded(Unigram):
    """A Unigram model with rounded scores, which it rounds as it needs them."""

    to_few: Callable[[float], float] = round

    @property
    def score_of_piece(self) -> Callable[[str], float | None]:
        return self._rounded

    def _rounded(self, text: str) -> float | None:
        score = self.tables.scores.get(text)
        return None if score is None else self.to_few(score)

    @cached_property
    def unknown_score(self) -> float:
        lowest = min((score for _, score in self.pieces), default=0.0)
        return self.to_few(lowest) - UNKNOWN_PENALTY


def _in_format(form: str, score: float) -> float:
    try:
        (value,) = struct.unpack(form, struct.pack(form, score))
    except OverflowError:
        return score
    return float(value)


ROUNDED: Final[Mapping[str, Callable[[float], float]]] = {
    "scores have no decimals": round,
    "scores have one decimal": partial(round, ndigits=1),
    "scores have two decimals": partial(round, ndigits=2),
    "scores have 16 bits": partial(_in_format, "<e"),
}
