"""WordLevel: each pre-token is one token."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


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
