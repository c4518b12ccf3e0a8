"""Reach of the tokens of WordPiece, which takes the longest piece at each place of a word.

A piece that continues a word has a piece before it, which is taken there only if no longer piece
begins at its place. So if each piece is part of a longer one with the text behind it, no text has
the token.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.reach.words import LONGER_TAKEN, NO_WORD
from tokharness_tokenizers.reference.word_ids import Cache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.models.wordpiece import WordPiece

__all__ = ["WordPieceReach"]

MOST: Final = 60
"""Words of a piece that are tried."""


@dataclass(frozen=True)
class WordPieceReach:
    """The words of each piece.

    Attributes:
        model: The model.
        reason_of_text: Returns why no word has a text as a part.

    """

    model: WordPiece
    reason_of_text: Callable[[str], str] = field(repr=False)

    def texts(self, _: int, token: str) -> Iterator[str]:
        """Yield words with a token."""
        inner = self._inner(token)
        if inner is not None and not self.reason_of_text(inner):
            yield from islice(self._words(inner), MOST)
        yield token

    def reason(self, _: int, token: str) -> str:
        """Return why no word has a token; "" if one may have it."""
        is_short = len(token) <= self.model.max_characters
        begins = self.reason_of_text(token) if is_short else NO_WORD
        inner = self._inner(token)
        if not begins or inner is None:
            return begins
        return self._reason_inside(inner)

    def _reason_inside(self, inner: str) -> str:
        reason = self.reason_of_text(inner)
        if reason or not any(self._joins(char, inner[0]) for char in self._lasts):
            return reason or NO_WORD
        return "" if next(self._befores(inner), None) else LONGER_TAKEN

    def _inner(self, token: str) -> str | None:
        """Return the text of a piece that continues a word; None if it does not."""
        prefix = self.model.prefix
        return token[len(prefix) :] if token.startswith(prefix) and token != prefix else None

    def _words(self, inner: str) -> Iterator[str]:
        """Yield words that end with a piece, from pieces that may stand before it."""
        waiting, seen = deque([inner]), {inner}
        while waiting:
            text = waiting.popleft()
            for piece, begins in self._befores(text):
                word = piece + text
                if begins:
                    yield word
                elif word not in seen and len(seen) < MOST:
                    seen.add(word)
                    waiting.append(word)

    def _befores(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the pieces that are taken before a text, and whether they begin a word."""
        limit, first = self.model.max_characters - len(text), text[0]
        if not any(self._joins(char, first) for char in self._lasts):
            return
        for piece, begins in self._pieces:
            prefix = "" if begins else self.model.prefix
            if len(piece) + (not begins) > limit:  # one that continues a word has another before
                continue
            if not self._is_longer(prefix + piece, text) and self._joins(piece[-1], first):
                yield piece, begins

    def _joins(self, char: str, other: str) -> bool:
        """Whether a word may have two characters next to each other."""
        return self._joined[char + other]

    @cached_property
    def _joined(self) -> Cache[bool]:
        return Cache(lambda pair: not self.reason_of_text(pair))

    def _is_longer(self, start: str, text: str) -> bool:
        """Whether a longer piece takes a piece before a text."""
        known = self.model.vocabulary
        return any(start + text[:size] in known for size in range(1, len(text) + 1))

    @cached_property
    def _lasts(self) -> frozenset[str]:
        """The characters that end pieces."""
        return frozenset(piece[-1] for piece, _ in self._pieces)

    @cached_property
    def _pieces(self) -> list[tuple[str, bool]]:
        """The texts of the pieces, and whether each begins a word; short ones first."""
        rows = [(token, True) for token in self.model.vocabulary if token]
        inner = filter(None, map(self._inner, self.model.vocabulary))
        return sorted([*rows, *((text, False) for text in inner)], key=lambda row: len(row[0]))
