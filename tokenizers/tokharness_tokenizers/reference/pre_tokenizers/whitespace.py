r"""Pre-tokenizers that split at white space: Whitespace and WhitespaceSplit.

The word characters of Whitespace are those of Unicode 16.0 in ``tokenizers`` 0.20.3 and 0.23.3, and
those of 17.0 in 1.0.0rc3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.pre_tokenizers.character_pattern import (
    CharacterPattern,
    ClassCutter,
)
from tokharness_tokenizers.reference.pre_tokenizers.cutting import Cutter
from tokharness_tokenizers.reference.rust_words import rust_word
from tokharness_tokenizers.reference.white_space import WHITE_SPACE

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Span

__all__ = ["Whitespace", "WhitespaceSplit"]

_word = re.compile(f"[^{WHITE_SPACE}]+")


@dataclass(frozen=True, slots=True)
class Whitespace(ClassCutter):
    r"""Split a text into words and runs of other characters but white space: ``\w+|[^\w\s]+``.

    Word characters are those of UTS #18, annex C: Alphabetic, M, Nd, Pc and Join_Control. So the
    numbers U+00B2 and U+00BD are none, but U+2167 and U+24B6 are.
    """

    version: str | None = None

    @property
    def pattern(self) -> CharacterPattern:
        """The pattern of the pre-tokens."""
        return _pattern(self.version)


@dataclass(frozen=True, slots=True)
class WhitespaceSplit(Cutter):
    """Split a text at the characters with White_Space, and remove these."""

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        # These four are white space for ``str.split``, which is the same in all other respects.
        if "\x1c" in text or "\x1d" in text or "\x1e" in text or "\x1f" in text:
            return _word.findall(text)
        return text.split()

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        return [match.span() for match in _word.finditer(text)]


@cache
def _pattern(version: str | None) -> CharacterPattern:
    classes = {"W": rust_word(version), "S": frozenset(WHITE_SPACE)}
    return CharacterPattern("[<W>]+|[^<W><S>]+", classes)
