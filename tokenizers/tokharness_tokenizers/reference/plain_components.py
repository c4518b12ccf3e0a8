"""Normalizers and pre-tokenizers that are functions of plain text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.aligned import Aligned

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PlainNormalizer", "PlainPreTokenizer"]


@dataclass(frozen=True)
class PlainNormalizer:
    """A normalizer that is a function; a changed text has the span of all of it."""

    change: Callable[[str], str]

    def normalize(self, text: str) -> str:
        """Return the changed text."""
        return self.change(text)

    def apply(self, text: Aligned) -> Aligned:
        """Change an aligned text."""
        new = self.change(text.text)
        return text if new == text.text else text.edit([(0, len(text.text), new)])


@dataclass(frozen=True)
class PlainPreTokenizer:
    """A pre-tokenizer that is a function; each word has the span of the text."""

    cut: Callable[[str], list[str]]

    def pieces(self, text: str, *, at_start: bool) -> list[str]:  # noqa: ARG002
        """Return the pre-tokens of a text."""
        return self.cut(text)

    def split(self, text: Aligned, *, at_start: bool) -> list[Aligned]:
        """Return the pre-tokens of an aligned text."""
        whole = text.span(0, len(text.text))
        words = self.pieces(text.text, at_start=at_start)
        return [Aligned(word, (whole,) * len(word)) for word in words]
