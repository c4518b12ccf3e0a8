"""What pre-tokenizers share that cut a text and change nothing in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness_tokenizers.reference.aligned import Aligned, Span

__all__ = ["Cutter"]


class Cutter(ABC):
    """A pre-tokenizer that cuts a text, at the same places whether or not it is at the start."""

    __slots__ = ()

    @abstractmethod
    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""

    @abstractmethod
    def spans(self, text: str) -> Iterable[Span]:
        """Return the place of each of these pre-tokens."""

    def pieces(self, text: str, *, at_start: bool) -> list[str]:  # noqa: ARG002
        """Return the pre-tokens of a text."""
        return self.words(text)

    def split(self, text: Aligned, *, at_start: bool) -> list[Aligned]:  # noqa: ARG002
        """Return the pre-tokens of an aligned text."""
        return [text[start:end] for start, end in self.spans(text.text)]
