"""Models with an edit of their tokens: some are never made, or two have each other's place.

The place of a token is the rank of its merges, or its score. If a model with an edit gives the ids
of a target, the target's vocabulary or its reader has made this edit.

Other models find no token above a length: a port takes another length for the longest token's.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect
from dataclasses import dataclass, fields, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence


_Token = TypeVar("_Token", str, bytes)

Edit: TypeAlias = "Mapping[str, Sequence[int]]"
"""``gone``: ids of tokens that are never made; ``exchanged``: two ids that exchange places.

``longest``: a list with the largest number of characters of a word that is not unknown.
"""


@singledispatch
def edited_model(model: Any, edit: Edit) -> Any:
    """Return a model with an edit of its tokens.

    Raises ValueError if two tokens are exchanged in a model whose tokens have no place.
    """
    if edit.get("exchanged") or edit.get("longest"):
        raise ValueError(f"{type(model).__name__} has no places of tokens, and no longest word")
    return _without(model, edit.get("gone", ()))


def _without(model: Any, gone: Collection[int]) -> Any:
    return dataclasses.replace(model, vocabulary=_kept(model, gone))


def _kept(model: Any, gone: Collection[int]) -> dict[str, int]:
    return {text: n for text, n in model.vocabulary.items() if n not in gone}


@edited_model.register(BPE)
def _(model: BPE, edit: Edit) -> BPE:
    gone, exchanged = frozenset(edit.get("gone", ())), edit.get("exchanged", ())
    ids, skip = model.vocabulary, len(model.prefix)
    made = [ids[left + right[skip:]] for left, right in model.merges]
    merges = list(model.merges)
    if exchanged:
        places = [[at for at, number in enumerate(made) if number == one] for one in exchanged]
        if not all(places):
            raise ValueError("no merge makes one of the tokens")
        for one, other in zip(*places, strict=False):
            merges[one], merges[other] = merges[other], merges[one]
    if not gone:
        return dataclasses.replace(model, merges=merges)
    rows = zip(merges, made, strict=True)
    kept = [
        (left, right)
        for (left, right), number in rows
        if gone.isdisjoint((number, ids[left], ids[right]))
    ]
    return dataclasses.replace(model, vocabulary=_kept(model, gone), merges=kept)


@edited_model.register(WordPiece)
def _(model: WordPiece, edit: Edit) -> WordPiece:
    if edit.get("exchanged"):
        raise ValueError("the pieces of WordPiece have no place")
    (most,) = edit.get("longest", (model.max_characters,))
    kept = _kept(model, edit.get("gone", ()))
    return dataclasses.replace(model, vocabulary=kept, max_characters=most)


@edited_model.register(Unigram)
def _(model: Unigram, edit: Edit) -> Unigram:
    scores = [score for _, score in model.pieces]
    _exchange(scores, edit)
    gone = frozenset(edit.get("gone", ()))
    pieces = [
        ("" if number in gone else text, score)
        for number, ((text, _), score) in enumerate(zip(model.pieces, scores, strict=True))
    ]
    return dataclasses.replace(model, pieces=pieces)


@edited_model.register(SentencePieceBPE)
def _(model: SentencePieceBPE, edit: Edit) -> SentencePieceBPE:
    scores = list(model.scores)
    _exchange(scores, edit)
    gone = frozenset(edit.get("gone", ()))
    found = {text: number for text, number in model.vocabulary.items() if number not in gone}
    user_defined = tuple(text for text in model.user_defined if text in found)
    return dataclasses.replace(model, vocabulary=found, scores=scores, user_defined=user_defined)


@edited_model.register(SentencePieceUnigram)
def _(model: SentencePieceUnigram, edit: Edit) -> SentencePieceUnigram:
    gone, exchanged = frozenset(edit.get("gone", ())), edit.get("exchanged", ())
    scores = {
        text: score
        for text, score in model.piece_scores.items()
        if model.vocabulary.get(text) not in gone
    }
    if exchanged:
        one, other = (
            next(text for text, number in model.vocabulary.items() if number == wanted)
            for wanted in exchanged
        )
        scores[one], scores[other] = scores[other], scores[one]
    return dataclasses.replace(model, vocabulary=_kept(model, gone), piece_scores=scores)


@edited_model.register(Pieces)
def _(model: Pieces, edit: Edit) -> Pieces:
    gone = frozenset(edit.get("gone", ()))
    inner = edited_model(model.model, edit)
    kept = {byte: number for byte, number in model.bytes.items() if number not in gone}
    return dataclasses.replace(model, vocabulary=_kept(model, gone), model=inner, bytes=kept)


@edited_model.register(ByteTrie)
def _(model: ByteTrie, edit: Edit) -> ByteTrie:
    if edit.get("exchanged"):
        raise ValueError("the tokens of a trie have no place")
    gone = frozenset(edit.get("gone", ()))
    kept = {token: number for token, number in model.ids.items() if number not in gone}
    return dataclasses.replace(model, ids=kept)


def _exchange(scores: list[float], edit: Edit) -> None:
    if exchanged := edit.get("exchanged", ()):
        one, other = exchanged
        scores[one], scores[other] = scores[other], scores[one]


LENGTHS: Final = frozenset((*range(1, 17), 20, 24, 32, 64))
"""Usual limits of the length of a token; the length below the longest token is tried, too."""

LONGEST_TEXT: Final = 2000
"""Most bytes of a text that is encoded with a limit."""


GROWN = "no token that has a start without a token is found"


def grown(ids: Mapping[_Token, int], prefix: _Token | None = None) -> dict[_Token, int]:
    """Return the tokens that a search finds which goes on only while it has a token.

    Such a search takes a token for a word without ``prefix`` and never a longer one, if the part
    before the last byte or character of the longer one is no token.
    """
    found: dict[_Token, int] = {}
    for token in sorted(ids, key=len):
        start = len(prefix) if prefix and token.startswith(prefix) else 0
        if len(token) <= start + 1 or token[:-1] in found:
            found[token] = ids[token]
    return found


def short_tokens(model: ByteTrie | Unigram | WordPiece) -> Iterator[tuple[str, Any]]:
    """Yield models that find no token above a length, the longest first: it changes least.

    Limits between two lengths of tokens are one: the description names the shortest length lost.
    """
    tokens: Iterable[bytes | str] = model.ids if isinstance(model, ByteTrie) else model.vocabulary
    what = "token of {} bytes" if isinstance(model, ByteTrie) else "piece of {} characters"
    lengths = sorted(set(map(len, tokens)))
    limits = {*LENGTHS, *(length - 1 for length in lengths[-1:])}
    lost = {length for limit in limits for length in lengths[bisect(lengths, limit) :][:1]}
    for length in sorted(lost - {1}, reverse=True):
        yield f"no {what.format(length)} or more is found", _limited(model, length - 1)


def _limited(model: ByteTrie | Unigram | WordPiece, longest: int) -> Any:
    if isinstance(model, ByteTrie):
        return _ShortTokens(model.ids, model, longest)
    if isinstance(model, WordPiece):
        return replace(model, longest=longest)
    settings = {one.name: getattr(model, one.name) for one in fields(model)}
    return _ShortPieces(**{**settings, "shared": model.tables}, longest=longest)


@dataclass(frozen=True)
class _ShortTokens(ByteTrie):
    """A vocabulary of byte strings that looks for no token above a limit of bytes."""

    whole: ByteTrie
    longest: int

    def encode(self, data: bytes) -> list[int]:
        if len(data) > LONGEST_TEXT:
            raise KeyError(f"a text has more than {LONGEST_TEXT:,} bytes")
        ids: list[int] = []
        at = 0
        while at < len(data):
            first = self.whole.encode(data[at : at + self.longest])[0]
            ids.append(first)
            at += self.whole.size_of[first]
        return ids


@dataclass(frozen=True)
class _ShortPieces(Unigram):
    """A Unigram model that looks for no piece above a limit of characters."""

    longest: int = 0

    @property
    def score_of_piece(self) -> Callable[[str], float | None]:
        return self._limited

    def _limited(self, text: str) -> float | None:
        return self.tables.scores.get(text) if len(text) <= self.longest else None
