"""Models that find no token above a length: a port takes another length for that of the longest."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LENGTHS: Final = frozenset((*range(1, 17), 20, 24, 32, 64))
"""Usual limits of the length of a token; the length below the longest token is tried, too."""

LONGEST_TEXT: Final = 2000
"""Most bytes of a text that is encoded with a limit."""


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
