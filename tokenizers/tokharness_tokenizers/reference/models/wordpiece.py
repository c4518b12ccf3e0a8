"""Models of whole words and their pieces: WordPiece and WordLevel.

WordPiece is the greedy longest match from the left (Schuster and Nakajima 2012; Devlin et al.
2019). BERT's tokenizer is the published algorithm: a word that cannot be covered with pieces is one
unknown token, and so is a word that is too long.

With WordLevel, each pre-token is one token.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class WordPiece:
    """A vocabulary of pieces; pieces inside words have a prefix.

    Attributes:
        vocabulary: The id of each piece.
        unknown: The token of a word that no pieces cover.
        prefix: The start of a piece that continues a word, ``##`` in BERT.
        max_characters: A longer word is the unknown token.
        longest: No longer piece, without its prefix, is looked for; None: there is no such limit.

    """

    vocabulary: Mapping[str, int] = field(repr=False)
    unknown: str = "[UNK]"
    prefix: str = "##"
    max_characters: int = 100
    longest: int | None = None

    @cached_property
    def _longest(self) -> int:
        """Characters of the longest piece without its prefix: no match is longer."""
        longest = max(map(len, self.vocabulary), default=0)
        return longest if self.longest is None else min(self.longest, longest)

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if the vocabulary lacks it."""
        return self.vocabulary.get(self.unknown)

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word.

        Raises:
            KeyError: no pieces cover the word, and the vocabulary lacks the unknown token.

        """
        if len(word) > self.max_characters:
            return self._whole_unknown(word)
        tokens: list[tuple[int, int]] = []
        start = 0
        while start < len(word):
            token = self.longest_at(word, start)
            if token is None:
                return self._whole_unknown(word)
            tokens.append(token)
            start += token[1]
        return tokens

    def longest_at(self, word: str, start: int) -> tuple[int, int] | None:
        """Return the id and the number of characters of the longest piece at a place of a word."""
        prefix = self.prefix if start else ""
        for end in range(min(len(word), start + self._longest), start, -1):
            number = self.vocabulary.get(prefix + word[start:end])
            if number is not None:
                return number, end - start
        return None

    def _whole_unknown(self, word: str) -> list[tuple[int, int]]:
        try:
            return [(self.vocabulary[self.unknown], len(word))]
        except KeyError:
            message = f"no pieces cover {word!r}, and there is no token {self.unknown!r}"
            raise KeyError(message) from None


@dataclass(frozen=True, slots=True)
class WordLevel:
    """A vocabulary of words; a word that it does not have is the unknown token."""

    vocabulary: Mapping[str, int] = field(repr=False)
    unknown: str

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if the vocabulary lacks it."""
        return self.vocabulary.get(self.unknown)

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of the one token of a word.

        Raises:
            KeyError: the vocabulary has neither the word nor the unknown token.

        """
        number = self.vocabulary.get(word)
        if number is None:
            number = self.vocabulary.get(self.unknown)
        if number is None:
            raise KeyError(f"no token stands for {word!r}, and there is no {self.unknown!r}")
        return [(number, len(word))]
