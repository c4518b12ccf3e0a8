"""The parts of BertNormalizer that are no components: cleaning, and spaces around ideographs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.normalizers.categories import of_categories
from tokharness_tokenizers.reference.normalizers.mapping import (
    Replacement,
    character_class,
    run_of,
)
from tokharness_tokenizers.reference.normalizers.sequence import Sequence
from tokharness_tokenizers.reference.white_space import WHITE_SPACE

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned

__all__ = ["Ideographs", "cleaning"]

_IDEOGRAPHS: Final = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)
_RUN: Final = re.compile(run_of(character_class(chain.from_iterable(_IDEOGRAPHS))))


@dataclass(frozen=True, slots=True)
class Ideographs:
    """Put a space before and after each ideograph; both have its span."""

    def normalize(self, text: str) -> str:
        """Return the text with spaces."""
        return _RUN.sub(lambda run: f" {'  '.join(run.group())} ", text)

    def apply(self, text: Aligned) -> Aligned:
        """Put spaces into an aligned text."""
        places = (at for run in _RUN.finditer(text.text) for at in range(*run.span()))
        return text.edit([(at, at + 1, f" {text.text[at]} ") for at in places])


@cache
def cleaning(version: str | None) -> Sequence:
    """Return what removes controls and U+FFFD, and makes white space a space.

    U+000B, U+000C, U+001C to U+001F and U+0085 are white space, but removed as controls.
    """
    removed = (of_categories(version, "Cc", "Cf", "Co") | {"\ufffd"}) - set("\t\n\r")
    return Sequence((Replacement(removed, ""), Replacement(set(WHITE_SPACE) - {" "}, " ")))
