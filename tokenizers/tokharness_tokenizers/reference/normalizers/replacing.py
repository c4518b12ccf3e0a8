"""Normalizers that replace, insert and strip text, write bytes, and follow one another."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.components import refuse_growth
from tokharness_tokenizers.reference.white_space import leading, trailing

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.aligned import Aligned
    from tokharness_tokenizers.reference.components import Normalizer
    from tokharness_tokenizers.reference.searching import Find

# The normalizer ByteLevel: write each byte of UTF-8 as one visible character, as GPT-2 does.

_CHARACTERS: Final = "".join(CHARACTER_OF)


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Write the UTF-8 bytes of a text as characters; each has the span of the whole character."""

    def normalize(self, text: str) -> str:
        """Return the characters for the bytes of a text."""
        return codecs.charmap_decode(text.encode(), "strict", _CHARACTERS)[0]

    def apply(self, text: Aligned) -> Aligned:
        """Write an aligned text as bytes."""
        changes = ((at, at + 1, self.normalize(char)) for at, char in enumerate(text.text))
        return text.edit([edit for edit in changes if edit[2] != text.text[edit[0]]])


# Normalizers one after the other.


@dataclass(frozen=True, slots=True)
class Sequence:
    """Apply each normalizer to the result of the previous normalizer.

    If ``bounded``, a text that becomes too long raises LargeError.
    """

    normalizers: tuple[Normalizer, ...]
    bounded: bool = False

    def normalize(self, text: str) -> str:
        """Return the text after all normalizers."""
        before = len(text)
        for normalizer in self.normalizers:
            text = normalizer.normalize(text)
            if self.bounded:
                refuse_growth(before, len(text))
        return text

    def apply(self, text: Aligned) -> Aligned:
        """Normalize an aligned text."""
        before = len(text.text)
        for normalizer in self.normalizers:
            text = normalizer.apply(text)
            if self.bounded:
                refuse_growth(before, len(text.text))
        return text


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace each match of a pattern by a text, which has no references to groups.

    ``literal`` is the pattern if it is a text, and "" if not.

    The replacement of a match has the span of the match. (``tokenizers`` gives it the span of the
    last character of the match.)
    """

    find: Find
    content: str
    substitute: Callable[[str], str]
    literal: str = ""

    @property
    def grows(self) -> bool:
        """Whether the text may become longer; a pattern may match the empty text."""
        return len(self.content) > len(self.literal)

    def normalize(self, text: str) -> str:
        """Return the text with all matches replaced."""
        return self.substitute(text)

    def apply(self, text: Aligned) -> Aligned:
        """Replace all matches in an aligned text."""
        return text.edit([(start, end, self.content) for start, end in self.find(text.text)])


@dataclass(frozen=True, slots=True)
class Prepend:
    """Put a text before each text that is not empty.

    The prepended text has the empty span before the first character. (``tokenizers`` gives it the
    span of the first character.)
    """

    prepend: str

    def normalize(self, text: str) -> str:
        """Return the text after the prepended text; "" remains ""."""
        return self.prepend + text if text else text

    def apply(self, text: Aligned) -> Aligned:
        """Put the text before an aligned text."""
        return text.edit([(0, 0, self.prepend)]) if text.text else text


@dataclass(frozen=True, slots=True)
class Strip:
    """Remove the characters with White_Space at the start, at the end, or at both."""

    strip_left: bool
    strip_right: bool

    def normalize(self, text: str) -> str:
        """Return the text without the white space."""
        return text[slice(*self._kept(text))]

    def apply(self, text: Aligned) -> Aligned:
        """Strip an aligned text."""
        return text[slice(*self._kept(text.text))]

    def _kept(self, text: str) -> tuple[int, int]:
        start = leading(text) if self.strip_left else 0
        end = len(text) - trailing(text) if self.strip_right else len(text)
        return start, max(start, end)
