"""What an engine may do in the place of a model: another order, another search, another unknown.

Each departure is a known simplification or mistake of ports: the longest piece from the left in
place of the best path, ties of merges from the other end, an unknown token for each character.

Departures that take longer are in :mod:`.further_models`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.edited_tokens import GROWN, grown, short_tokens
from tokharness_tokenizers.reference.merging import Choice, choices, merged_by
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_unigram import Best, SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import Unigram, lengths_at
from tokharness_tokenizers.reference.models.wordpiece import WordLevel, WordPiece
from tokharness_tokenizers.reference.other_bytes import BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence


Tokens = list[tuple[int, int]]

LATER = "the token of a character or the token of its byte counts, whichever id is larger"
LOWER = "bytes are looked for in lower-case hexadecimal digits"
LATE = "unknown characters stand after the bytes that follow them"
LONGEST = "the longest piece counts"
NEITHER = "byte_fallback is false, and unknown characters are not joined"

WORD_LIMITS = (50, 64, 128, 200, 256)
"""Limits of the length of a word that ports have in the place of the limit of the file."""

MOST = 1 << 14
"""Most characters of a word that is merged with each departure, each in a tenth of a second."""


def departing_models(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield departures of engines from a model: a description, and the departing model."""
    if isinstance(model, Pieces):
        inner = departing_models(model.model)
        yield from ((what, replace(model, model=one)) for what, one in inner)
        return
    if isinstance(model, Unigram):
        model = replace(model, shared=model.tables)
    elif isinstance(model, BPE):
        model = replace(model, shared=model.table)
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
    for what, choice in choices(len(model.merges)).items():
        yield what, _OtherChoice, {"choice": choice}
    yield "the longest token counts", _LongestToken, {}
    yield "nothing is merged", BPE, {"merges": ()}
    if model.byte_fallback and _later_tokens(model):
        yield LATER, _LaterToken, {}
    if model.byte_fallback:
        yield LOWER, _LowerCaseBytes, {}
        yield f"{LOWER}, and each other byte is unknown", _EachLowerCaseByte, {}
        if model.unknown is not None:
            yield LATE, LateUnknown, {}
        for what, bytes_of in BYTES.items():
            yield what, _OtherBytes, {"bytes_of": bytes_of}
        if model.fuse_unknown:
            yield NEITHER, BPE, {"byte_fallback": False, "fuse_unknown": False}
    if model.suffix:
        yield "the last letter does not end a word", BPE, {"suffix": ""}


def _of_sentencepiece_unigram(_: SentencePieceUnigram) -> Iterator[Departure]:
    yield LONGEST, _LongestPieces, {}


def _of_unigram(model: Unigram) -> Iterator[Departure]:
    yield LONGEST, _LongestPiece, {}
    yield "unknown characters are not joined", _Unjoined, {}
    if model.byte_fallback:
        yield NEITHER, _Unjoined, {"byte_fallback": False}
        for what, bytes_of in BYTES.items():
            yield what, _OtherBytesOfUnknown, {"bytes_of": bytes_of}


def _of_wordpiece(model: WordPiece) -> Iterator[Departure]:
    yield "only the rest of a word is unknown", _UnknownRest, {}
    one = "a character without a piece is unknown, and the word goes on"
    yield one, _UnknownCharacters, {}
    yield "each character of a word without pieces is unknown", _EachUnknown, {}
    kept = {model.unknown: model.vocabulary[model.unknown]} if model.unknown_id is not None else {}
    yield GROWN, WordPiece, {"vocabulary": {**grown(model.vocabulary, model.prefix), **kept}}
    yield "a word without pieces is left out", _LeftOut, {}
    yield "the end of a long word is left out", _CutOff, {}
    yield "the limit of a word counts bytes", _LimitInBytes, {}
    limits = {*WORD_LIMITS, model.max_characters - 1} - {model.max_characters}
    for limit in sorted(limits, key=lambda limit: abs(limit - model.max_characters)):
        new = {"max_characters": limit}
        yield f"words of more than {limit:,} characters are unknown", WordPiece, new
    yield "a long word is cut as any other", WordPiece, {"max_characters": sys.maxsize}
    if model.prefix:
        yield "pieces that begin a word continue it", WordPiece, {"prefix": ""}
        either = "a piece of the start of a word and one of its rest stand for each other"
        yield either, _EitherPiece, {}


def _of_word_level(_: WordLevel) -> Iterator[Departure]:
    yield "words are looked for in lower case", _LowerCase, {}


@dataclass(frozen=True)
class _OtherChoice(BPE):
    """A BPE that chooses the pair to merge next in another way."""

    choice: Choice = field(kw_only=True)

    def tokens(self, word: str) -> Tokens:
        parts = self.first_tokens(word)
        if len(parts) > MOST:
            raise KeyError(f"a word has more than {MOST} characters")
        if self.ignore_merges and word in self.vocabulary:
            return [(self.vocabulary[word], len(word))]
        return merged_by(self.choice, parts, self._rank, self._joined)

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


class _LongestToken(BPE):
    """A BPE that takes the longest token at each place, without merges."""

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.vocabulary), default=0)

    def tokens(self, word: str) -> Tokens:
        if len(word) > MOST:
            raise KeyError(f"a word has more than {MOST} characters")
        tokens: Tokens = []
        at = 0
        while at < len(word):
            ends = range(min(len(word), at + self._longest), at, -1)
            found = ((end, self.vocabulary.get(self._part(word, at, end))) for end in ends)
            end, number = next((one for one in found if one[1] is not None), (at + 1, None))
            tokens += self.first_tokens(word[at]) if number is None else [(number, end - at)]
            at = end
        return tokens

    def _part(self, word: str, start: int, end: int) -> str:
        end_of_word = self.suffix if end == len(word) else ""
        return (self.prefix if start else "") + word[start:end] + end_of_word


class _LowerCaseBytes(BPE):
    """A BPE that looks for ``<0xe2>`` where the vocabulary has ``<0xE2>``."""

    def _bytes(self, text: str) -> list[int]:
        tokens = [self.vocabulary.get(f"<0x{byte:02x}>") for byte in text.encode()]
        return [] if None in tokens else [token for token in tokens if token is not None]


class _EachLowerCaseByte(BPE):
    """A BPE that looks for ``<0xe2>``, and takes the unknown token for each byte without one."""

    def _bytes(self, text: str) -> list[int]:
        find, unknown = self.vocabulary.get, self.unknown_id
        tokens = [find(f"<0x{byte:02x}>", unknown) for byte in text.encode()]
        return [token for token in tokens if token is not None]


class LateUnknown(BPE):
    """A BPE that adds the unknown token only before the next known character, or at the end.

    A text may not be cut at the bytes of a character.
    """

    def first_tokens(self, word: str) -> Tokens:
        """Return the tokens of the characters of a word, before the first merge."""
        tokens: Tokens = []
        waiting: Tokens = []
        for token, length in super().first_tokens(word):
            if token == self.unknown_id and self.fuse_unknown:
                waiting = [(token, length + sum(before for _, before in waiting))]
            elif token == self.unknown_id:
                tokens += waiting
                waiting = [(token, length)]
            elif token in self._of_bytes:
                tokens.append((token, length))
            else:
                tokens += [*waiting, (token, length)]
                waiting = []
        return tokens + waiting

    @cached_property
    def _of_bytes(self) -> frozenset[int | None]:
        return frozenset(self.vocabulary.get(f"<0x{byte:02X}>") for byte in range(0x100))


@dataclass(frozen=True)
class _OtherBytes(BPE):
    """A BPE that writes a character without a token as bytes that are not its UTF-8."""

    bytes_of: Callable[[str], bytes] = field(kw_only=True)

    def _bytes(self, text: str) -> list[int]:
        rows = [self.bytes_of(char) for char in text]
        tokens = [self.vocabulary.get(f"<0x{byte:02X}>") for row in rows for byte in row]
        known = [token for token in tokens if token is not None]
        return known if all(rows) and len(known) == len(tokens) else []


@dataclass(frozen=True)
class _OtherBytesOfUnknown(Unigram):
    """A Unigram model that writes unknown characters as bytes that are not their UTF-8."""

    bytes_of: Callable[[str], bytes] = field(kw_only=True)

    def _unknown_tokens(self, text: str) -> Tokens:
        rows = ([self._byte_ids[byte] for byte in self.bytes_of(char)] for char in text)
        each = (row if row and None not in row else [self.unknown] for row in rows)
        return [(token, 0) for row in each for token in row if token is not None]


def longest_first(
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
        path = longest_first(word, lambda at: lengths_at(self.lengths, word, at), self.piece_scores)
        return [(self.vocabulary.get(piece, self.unknown), len(piece)) for piece in path]


class _LongestPiece(Unigram):
    """A Unigram model that takes the longest piece at each place."""

    def _best_path(self, word: str) -> list[str]:
        return longest_first(
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


class _EachUnknown(WordPiece):
    """A WordPiece model with as many unknown tokens as an unknown word has characters."""

    def tokens(self, word: str) -> Tokens:
        tokens = super().tokens(word)
        if len(word) > self.max_characters or tokens != self._whole_unknown(word):
            return tokens
        return [token for char in word for token in self._whole_unknown(char)]


class _EitherPiece(WordPiece):
    """A WordPiece model that takes a piece without the prefix for one with it, and vice versa."""

    def longest_at(self, word: str, start: int) -> tuple[int, int] | None:
        forms = (self.prefix, "") if start else ("", self.prefix)
        for end in range(len(word), start, -1):
            found = (self.vocabulary.get(form + word[start:end]) for form in forms)
            number = next((one for one in found if one is not None), None)
            if number is not None:
                return number, end - start
        return None


class _LimitInBytes(WordPiece):
    """A WordPiece model that limits words by their bytes of UTF-8, as in TensorFlow Text."""

    def tokens(self, word: str) -> Tokens:
        is_long = len(word.encode("utf-8", "surrogatepass")) > self.max_characters
        return self._whole_unknown(word) if is_long else super().tokens(word)


class _LeftOut(WordPiece):
    """A WordPiece model that has no unknown token."""

    def _whole_unknown(self, _: str) -> Tokens:
        return []


class _CutOff(WordPiece):
    """A WordPiece model that reads as many characters of a word as the limit says."""

    def tokens(self, word: str) -> Tokens:
        return super().tokens(word[: self.max_characters])


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
