"""A model of SentencePiece as a component of a pipeline, with tokens for unknown characters."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.sentencepiece.vocabulary import merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE

# The models ``word`` and ``char`` of SentencePiece, which search for no piece inside a part.


@dataclass(frozen=True)
class WholeWords:
    """Each word with the mark of a space before it is a piece, or unknown.

    The mark begins a word even if the model's file says that it ends a word.
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


@dataclass(frozen=True)
class Pieces:
    """A model, and the tokens of bytes.

    A character that is not a piece becomes the tokens of its bytes, if each byte has a token. Other
    neighbouring unknown characters become one unknown token.

    Attributes:
        model: The model.
        vocabulary: The ids of the pieces that text becomes.
        bytes: The id of the token of each byte that has one.

    """

    model: SentencePieceBPE | Unigram
    vocabulary: Mapping[str, int] = field(repr=False)
    bytes: Mapping[int, int] = field(default_factory=dict, repr=False)

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if there is none."""
        unknown = self.model.unknown
        return None if unknown is None or unknown < 0 else unknown

    @property
    def has_unused(self) -> bool:
        """Whether the model has unused pieces."""
        return not isinstance(self.model, Unigram) and bool(self.model.unused)

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word.

        The token of a character's first byte has the character; the tokens of further bytes have no
        characters. Raises KeyError for a character without tokens, if there is no unknown token.
        """
        found = self.model.tokens(word)
        unknown = self.model.unknown
        if all(number != unknown for number, _ in found):
            return found
        tokens: list[tuple[int, int]] = []
        at = 0
        for number, length in found:
            part = word[at : at + length]
            tokens += self._spelled(part) if number == unknown else [(number, length)]
            at += length
        return merged(tokens, -1 if unknown is None else unknown)

    def score(self, ids: Sequence[int]) -> float:
        """Return the sum of the scores of tokens."""
        if isinstance(self.model, Unigram):
            return self.model.score(ids)
        return sum(self.model.scores[number] for number in ids)

    def _spelled(self, part: str) -> Iterator[tuple[int, int]]:
        for char in part:
            data = char.encode()
            if all(byte in self.bytes for byte in data):
                rows = enumerate(map(self.bytes.__getitem__, data))
                yield from ((token, int(place == 0)) for place, token in rows)
            elif self.unknown_id is None:
                raise KeyError(f"no token stands for {char!r}, and there is no unknown token")
            else:
                yield self.unknown_id, 1
