"""What llama.cpp does in the place of BERT's stages, as alterations of these.

llama.cpp removes all marks (M), whereas BERT removes nonspacing marks (Mn). It decomposes each
character only to the first character of its decomposition, so that a Hangul syllable loses its
vowel. It treats U+000B, U+000C and U+0085, which BERT removes as controls, as spaces. It puts
U+2581 before each word and matches the pieces as the file has them, so that U+2581 in a text begins
a word, too. When it decodes, a text keeps the space for the start of its first word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference.decoders.tokens import clean_up
from tokharness_tokenizers.reference.normalizers.mapping import (
    CharacterMap,
    Replacement,
    of_categories,
)
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.components import Normalizer
    from tokharness_tokenizers.reference.models.wordpiece import WordPiece

MARKS: Final = "marks of all categories are removed"
FIRST: Final = "of a decomposed Hangul syllable the first letter remains"
SPACES: Final = "U+000B, U+000C and U+0085 are spaces"

DEPARTURES: Final = ((MARKS,), (FIRST,), (SPACES,), (MARKS, FIRST, SPACES))
"""The alterations, one by one and together."""

_SYLLABLES: Final = range(0xAC00, 0xD7A4)


def departures(names: tuple[str, ...], categories: str | None) -> list[Normalizer]:
    """Return the normalizers that change a text before BERT's normalizer."""
    return [_departure(name, categories) for name in names]


def _departure(name: str, categories: str | None) -> Normalizer:
    if name == MARKS:
        return Replacement(of_categories(categories, "Mc", "Me"), "")
    if name == FIRST:
        return CharacterMap(lambda char: normalize("NFD", char)[0], _SYLLABLES)
    return Replacement("\v\f\x85", " ")


@dataclass(frozen=True, slots=True)
class MarkedWords:
    """WordPiece with U+2581 before each word, and no prefix of the pieces that continue it.

    Attributes:
        pieces: The model of the pieces as the file has them, without a prefix.

    """

    pieces: WordPiece

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The id of each piece."""
        return self.pieces.vocabulary

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if the vocabulary lacks it."""
        return self.pieces.unknown_id

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word."""
        (first, length), *others = self.pieces.tokens(MARK + word)
        return [(first, length - len(MARK)), *others]


@dataclass(frozen=True, slots=True)
class SpacedTexts:
    """Put a space before each token that begins a word, including the first token.

    Names in brackets get no space, and spaces before punctuation are removed.
    """

    prefix: str = "##"

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the one text of all tokens."""
        return [clean_up("".join(map(self._text, tokens)))]

    def _text(self, token: str) -> str:
        if token.startswith(self.prefix):
            return token.removeprefix(self.prefix)
        return token if token.startswith("[") and token.endswith("]") else f" {token}"
