"""Pre-tokenizers without Unicode data: CharDelimiterSplit and FixedLength."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.pre_tokenizers.cutting import Cutter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.aligned import Span

__all__ = ["CharDelimiterSplit", "FixedLength"]


@dataclass(frozen=True, slots=True)
class CharDelimiterSplit(Cutter):
    """Split a text at a character, and remove it."""

    delimiter: str

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        return list(filter(None, text.split(self.delimiter)))

    def spans(self, text: str) -> Iterator[Span]:
        """Return the place of each of these pre-tokens."""
        start = 0
        for part in text.split(self.delimiter):
            if part:
                yield start, start + len(part)
            start += len(part) + 1


@dataclass(frozen=True, slots=True)
class FixedLength(Cutter):
    """Split a text into pieces of so many code points, of which the last one may be shorter.

    Raises:
        ValueError: the length is 0. (``tokenizers`` 0.23.3 ends with a panic when it encodes, 1.0
            does not split the text.)

    """

    length: int = 5

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError(f"the length of pre-tokens is {self.length}")

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        size = self.length
        return [text[at : at + size] for at in range(0, len(text), size)]

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        size = self.length
        return [(at, at + size) for at in range(0, len(text), size)]
