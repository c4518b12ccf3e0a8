"""Pre-tokenizers that look for classes of characters: Punctuation, Digits and BertPreTokenizer.

Unicode versions of the classes in ``tokenizers``, measured on all scalar values: punctuation 8.0,
numbers 15.1 in 0.20.3 and 17.0 in 0.23.3. In 1.0.0rc3 both are 17.0, but Punctuation with a
behavior that merges (also Contiguous) still has 8.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.normalizers.categories import of_categories
from tokharness_tokenizers.reference.pre_tokenizers.character_pattern import (
    BEHAVIOR_PATTERNS,
    CharacterPattern,
    ClassCutter,
)
from tokharness_tokenizers.reference.white_space import WHITE_SPACE

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.pre_tokenizers.behaviors import Behavior

__all__ = ["Bert", "Digits", "Punctuation"]

_ASCII_PUNCTUATION: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""Those of category P, and nine symbols."""


@dataclass(frozen=True, slots=True)
class Punctuation(ClassCutter):
    """Split at punctuation: category P, and the symbols of ASCII. Each is a match of its own."""

    behavior: Behavior = "Isolated"
    version: str | None = None

    @property
    def pattern(self) -> CharacterPattern:
        """The pattern of the pre-tokens."""
        return _punctuation_pattern(self.behavior, self.version)


@dataclass(frozen=True, slots=True)
class Digits(ClassCutter):
    """Split at numbers, one by one or as runs.

    Numbers are all of category N, so also fractions (U+00BD), Roman numerals (U+2167) and circled
    numbers (U+2460), though the library's documentation speaks of digits.
    """

    individual_digits: bool = False
    version: str | None = None

    @property
    def pattern(self) -> CharacterPattern:
        """The pattern of the pre-tokens."""
        return _number_pattern("Isolated" if self.individual_digits else "Contiguous", self.version)


@dataclass(frozen=True, slots=True)
class Bert(ClassCutter):
    """Split at white space, and at each punctuation character (Devlin et al., ``tokenization.py``).

    Punctuation is that of BERT's own code, which takes the categories from the Unicode version of
    Python.
    """

    version: str | None = None

    @property
    def pattern(self) -> CharacterPattern:
        """The pattern of the pre-tokens."""
        return _bert_pattern(self.version)


@cache
def _punctuation(version: str | None) -> frozenset[str]:
    return of_categories(version, "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps").union(
        _ASCII_PUNCTUATION
    )


@cache
def _punctuation_pattern(behavior: Behavior, version: str | None) -> CharacterPattern:
    return CharacterPattern(BEHAVIOR_PATTERNS[behavior], {"C": _punctuation(version)})


@cache
def _number_pattern(behavior: Behavior, version: str | None) -> CharacterPattern:
    numbers = of_categories(version, "Nd", "Nl", "No")
    return CharacterPattern(BEHAVIOR_PATTERNS[behavior], {"C": numbers})


@cache
def _bert_pattern(version: str | None) -> CharacterPattern:
    classes = {"P": _punctuation(version), "S": frozenset(WHITE_SPACE)}
    return CharacterPattern("[<P>]|[^<P><S>]+", classes)
