"""What an engine may do in the place of a model, where a table takes long to make: asked last.

A list of merges was sorted by a tool, or completed from the vocabulary; scores were rounded,
negated, lost or made probabilities by a conversion; a search takes the fewest tokens, as dynamic
programming does.
"""

from __future__ import annotations

import math
import operator
import struct
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.departing_models import LONGEST, MOST, longest_first
from tokharness_tokenizers.reference.listed_merges import listed_merges, merged_in_order
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import UNKNOWN_PENALTY, Unigram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokharness_tokenizers.reference.listed_merges import RankOf

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
        yield from _with_other_scores(model)
        if isinstance(model, SentencePieceBPE):  # after the scores: of few pieces, they do the same
            settings = {one.name: getattr(model, one.name) for one in fields(model)}
            yield LONGEST, _LongestOfPieces(**settings)
            if not model.user_defined and not model.unused:
                ranks = {text: -model.scores[number] for text, number in model.vocabulary.items()}
                for what, rank_of in listed_merges(ranks):
                    yield what, _ListedMerges(**settings, rank_of=rank_of)


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

    @cached_property
    def _sizes(self) -> list[int]:
        return sorted({len(token) for token in self.ids if token})


class _LongestOfPieces(SentencePieceBPE):
    """A BPE of pieces that takes the longest piece at each place."""

    @cached_property
    def _lengths(self) -> list[int]:
        return sorted({*map(len, self.vocabulary), 1})

    def tokens(self, word: str, skips: Any = bool) -> list[tuple[int, int]]:  # noqa: ARG002
        path = longest_first(word, lambda _: self._lengths, self.vocabulary)
        return [(self.vocabulary.get(piece, self.unknown), len(piece)) for piece in path]


@dataclass(frozen=True)
class _ListedMerges(SentencePieceBPE):
    """A BPE of pieces that merges the pairs of a list, as a conversion writes it."""

    rank_of: RankOf = field(kw_only=True, repr=False)

    def tokens(self, word: str, skips: Any = bool) -> list[tuple[int, int]]:  # noqa: ARG002
        if len(word) > MOST:
            raise KeyError(f"a word has more than {MOST} characters")
        pieces = merged_in_order(list(word), self.rank_of)
        return [(self.vocabulary.get(piece, self.unknown), len(piece)) for piece in pieces]


def _with_other_scores(model: Any) -> Iterator[tuple[str, Any]]:
    for what, change in SCORES.items():
        if isinstance(model, SentencePieceBPE):
            yield what, replace(model, scores=list(map(change, model.scores)))
        elif isinstance(model, SentencePieceUnigram):
            yield what, _with_scores(model, change)
        elif isinstance(model, Unigram):
            settings = {one.name: getattr(model, one.name) for one in fields(model)}
            yield what, _OtherScores(**{**settings, "shared": model.tables}, change=change)


def _with_scores(
    model: SentencePieceUnigram, change: Callable[[float], float]
) -> SentencePieceUnigram:
    """Return a model with changed scores; user-defined pieces, above zero, keep their bonus."""
    scores = model.piece_scores
    changed = {text: score if score > 0 else change(score) for text, score in scores.items()}
    normal = (changed[text] for text, score in scores.items() if score <= 0)
    unknown_score = min(normal, default=0.0) - UNKNOWN_PENALTY
    return replace(model, piece_scores=changed, unknown_score=unknown_score)


@dataclass(frozen=True)
class _OtherScores(Unigram):
    """A Unigram model with changed scores, which it changes as it needs them."""

    change: Callable[[float], float] = round

    @property
    def score_of_piece(self) -> Callable[[str], float | None]:
        return self._changed

    def _changed(self, text: str) -> float | None:
        score = self.tables.scores.get(text)
        return None if score is None else self.change(score)

    @cached_property
    def unknown_score(self) -> float:
        lowest = min((self.change(score) for _, score in self.pieces), default=0.0)
        return lowest - UNKNOWN_PENALTY


def _probability(score: float) -> float:
    return math.exp(min(score, 0.0))


def _in_format(form: str, score: float) -> float:
    try:
        (value,) = struct.unpack(form, struct.pack(form, score))
    except OverflowError:
        return score
    return float(value)


def _bfloat16(score: float) -> float:
    """Cut the float of four bytes off after two."""
    try:
        (value,) = struct.unpack(">f", struct.pack(">f", score)[:2] + bytes(2))
    except OverflowError:
        return score
    return float(value)


SCORES: Final[Mapping[str, Callable[[float], float]]] = {
    "scores have no decimals": round,
    "scores have one decimal": partial(round, ndigits=1),
    "scores have two decimals": partial(round, ndigits=2),
    "scores have 16 bits": partial(_in_format, "<e"),
    "scores have the 16 bits of bfloat16": _bfloat16,
    "scores are cut to integers": math.trunc,
    "scores are cut to two decimals": lambda score: math.trunc(score * 100) / 100,
    "scores are rounded down to one decimal": lambda score: math.floor(score * 10) / 10,
    "scores are negated": operator.neg,
    "scores are probabilities": _probability,
    "all scores are equal": lambda _: 0.0,
    "the fewest pieces count": lambda _: -1.0,
}
