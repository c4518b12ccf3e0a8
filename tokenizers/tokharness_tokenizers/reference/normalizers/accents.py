"""The normalizer StripAccents: remove combining marks (general category M).

It decomposes nothing, so it only works after NFD or NFKD. ``tokenizers`` has the marks of Unicode
9.0 in all its versions (1.0 keeps them on purpose, though its normal forms are newer).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.normalizers.categories import of_categories
from tokharness_tokenizers.reference.normalizers.mapping import Replacement

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned

__all__ = ["StripAccents"]


@dataclass(frozen=True, slots=True)
class StripAccents:
    """Remove all marks (Mn, Mc, Me), as a Unicode version has them (None: the current one)."""

    version: str | None = None

    def normalize(self, text: str) -> str:
        """Return the text without marks."""
        return text if text.isascii() else _marks(self.version).normalize(text)

    def apply(self, text: Aligned) -> Aligned:
        """Remove the marks of an aligned text."""
        return _marks(self.version).apply(text)


@cache
def _marks(version: str | None) -> Replacement:
    return Replacement(of_categories(version, "Mn", "Mc", "Me"), "")
