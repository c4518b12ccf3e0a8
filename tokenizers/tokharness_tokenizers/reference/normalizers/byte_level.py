"""The normalizer ByteLevel: write each byte of UTF-8 as one visible character, as GPT-2 does."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned

__all__ = ["ByteLevel"]

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
