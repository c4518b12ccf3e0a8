"""The models ``word`` and ``char`` of SentencePiece: no piece is looked for inside a part."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["WholeCharacters", "WholeWords"]


@dataclass(frozen=True)
class WholeWords:
    """Each word with the mark of a space before it is a piece, or unknown.

    The mark begins a word also where the model's file says that it ends one.
    """

    vocabulary: Mapping[str, int] = field(repr=False)
    unknown: int = -1

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a text."""
        words = re.findall("\u2581[^\u2581]*|[^\u2581]+", word)
        return [(self.vocabulary.get(one, self.unknown), len(one)) for one in words]


@dataclass(frozen=True)
class WholeCharacters:
    """Each user-defined piece and each other character is a piece, or unknown."""

    vocabulary: Mapping[str, int] = field(repr=False)
    unknown: int = -1
    user_defined: tuple[str, ...] = ()

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a text."""
        parts = self._pattern.findall(word)
        return [(self.vocabulary.get(one, self.unknown), len(one)) for one in parts]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.user_defined, key=lambda text: (-len(text), text))
        return re.compile("|".join((*map(re.escape, longest_first), ".")), re.DOTALL)
