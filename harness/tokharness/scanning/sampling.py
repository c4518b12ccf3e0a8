"""Samples of documents that depend on the documents alone: a share, or a number of them.

Each document has a place, a hash of its text. A share is the documents whose places are below a
limit; a number N is the documents with the N smallest places, which are found in a first pass over
the corpus (the sketch of the smallest values: Bar-Yossef et al., 2002).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCALE = 1 << 32
"""Places are below this number."""

MIX = 0x9E3779B1
"""An odd number (Knuth's 2^32 divided by the golden ratio) that spreads the bits of a checksum."""

MOST_DOCUMENTS = 1_000_000
"""Largest number of documents of a sample, whose places are in memory together."""


def place_of(text: str) -> int:
    """Return the place of a document; equal documents have the same one."""
    return crc32(text.encode("utf-8", "surrogatepass")) * MIX % SCALE


def smallest(counts: Mapping[int, int], number: int) -> dict[int, int]:
    """Return the smallest places that have ``number`` documents together, or all."""
    kept: dict[int, int] = {}
    total = 0
    for place in sorted(counts):
        if total >= number:
            break
        kept[place] = counts[place]
        total += counts[place]
    return kept


class SmallestPlaces:
    """Counts the documents of the smallest places; sums of parts have the same as the whole."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.counts: dict[int, int] = {}

    def add(self, counts: Iterable[tuple[int, int]]) -> None:
        """Add places, each with its number of documents."""
        for place, count in counts:
            self.counts[place] = self.counts.get(place, 0) + count
        if len(self.counts) > 2 * self._number:
            self.trim()

    def trim(self) -> None:
        """Keep the smallest places."""
        self.counts = smallest(self.counts, self._number)

    def share(self) -> float:
        """Return the share of all places up to the largest one that is kept; 1 if all are."""
        self.trim()
        if sum(self.counts.values()) < self._number:
            return 1.0
        return (max(self.counts) + 1) / SCALE
