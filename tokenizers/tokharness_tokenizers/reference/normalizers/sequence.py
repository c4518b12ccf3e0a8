"""Normalizers one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned
    from tokharness_tokenizers.reference.components import Normalizer

__all__ = ["Sequence"]


@dataclass(frozen=True, slots=True)
class Sequence:
    """Apply each normalizer to what the one before it returns."""

    normalizers: tuple[Normalizer, ...]

    def normalize(self, text: str) -> str:
        """Return the text after all normalizers."""
        for normalizer in self.normalizers:
            text = normalizer.normalize(text)
        return text

    def apply(self, text: Aligned) -> Aligned:
        """Normalize an aligned text."""
        for normalizer in self.normalizers:
            text = normalizer.apply(text)
        return text
