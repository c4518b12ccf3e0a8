"""What a scan does: its settings, its sample of documents, and the corpus cut into shards.

A sample depends on the documents alone. Each document has a place, a hash of its text. A share is
the documents whose places are below a limit; a number N is the documents with the N smallest
places, which are found in a first pass over the corpus (the sketch of the smallest values:
Bar-Yossef et al., 2002).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tokharness.corpora.blocks import Reading
from tokharness.corpora.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


SHARD_BYTES, LEAST_SHARD_BYTES, SHARDS = 1 << 24, 1 << 22, 64
"""Most and least bytes of a shard, as they are in the files, and the number of shards that a corpus
in between has: a shard is what an interrupt loses, and its record takes half a megabyte."""

PARTS_PER_SHARD = 256
"""Most files of a shard: opening one takes as long as reading a hundred kilobytes."""

AUTOMATIC_SHARE = 1 / 32
"""Least share of the documents that is compared with the automatic reference, much slower than
a target. An incumbent that the user names gets all documents."""

AUTOMATIC_BYTES = 1 << 24
"""Bytes of a corpus up to which all documents are compared with the automatic reference."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a scan asks of each document.

    ``sample`` and ``compared`` are shares of the documents, from 0 to 1: of those that are scanned,
    and of these that are compared. Both depend on the text of a document alone. ``contexts`` are
    numbers of tokens.

    With ``smallest``, only the places of that many documents are wanted, for a sample by number.
    """

    reading: Reading = field(default_factory=Reading)
    sample: float = 1.0
    compared: float = 1.0
    contexts: tuple[int, ...] = (2048, 4096, 8192, 32768, 131072)
    smallest: int = 0

    def plain(self) -> dict[str, Any]:
        """Return the settings as plain JSON data."""
        return {**asdict(self), "contexts": list(self.contexts)}


def automatic_share(sources: Sequence[Source], sample: float) -> float:
    """Return the share of the sample that is compared with the automatic reference."""
    total = sample * sum(source.size for source in sources) or 1
    return min(max(AUTOMATIC_SHARE, AUTOMATIC_BYTES / total), 1.0)


def settings_of(data: Mapping[str, Any]) -> Settings:
    """Return the settings of plain data."""
    reading = Reading(**data["reading"])
    contexts = tuple(data["contexts"])
    return Settings(reading, data["sample"], data["compared"], contexts, data["smallest"])


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes of a file from ``start`` to before ``end``, or to its end if that is None."""

    source: Source
    start: int = 0
    end: int | None = None

    @property
    def size(self) -> int:
        """Number of bytes."""
        return (self.source.size if self.end is None else self.end) - self.start


@dataclass(frozen=True, slots=True)
class Shard:
    """Parts of files that are scanned together; the number depends on the corpus alone."""

    number: int
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """Number of bytes."""
        return sum(part.size for part in self.parts)

    def plain(self) -> list[dict[str, Any]]:
        """Return the parts as plain JSON data."""
        return [asdict(part) for part in self.parts]

    def key(self, settings: Settings) -> str:
        """Return a digest of what is read, and of what is asked of it."""
        data = [self.plain(), settings.plain()]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def parts_of(data: Sequence[Mapping[str, Any]]) -> list[Part]:
    """Return the parts of plain data."""
    return [Part(Source(**one["source"]), one["start"], one["end"]) for one in data]


def cut(sources: Sequence[Source], reading: Reading) -> list[Shard]:
    """Cut files into shards: large ones into parts, small ones together."""
    size = max(sum(source.size for source in sources) // SHARDS, LEAST_SHARD_BYTES)
    size = min(size, SHARD_BYTES)
    shards: list[Shard] = []
    waiting: list[Part] = []

    def finish() -> None:
        if waiting:
            shards.append(Shard(len(shards), tuple(waiting)))
            waiting.clear()

    for source in sources:
        for part in _parts(source, reading, size):
            if waiting and sum(one.size for one in waiting) + part.size > size:
                finish()
            waiting.append(part)
            if len(waiting) == PARTS_PER_SHARD:
                finish()
    finish()
    return shards


def _parts(source: Source, reading: Reading, size: int) -> Iterator[Part]:
    is_whole = source.format == "text" and reading.documents == "file"
    if not source.is_divisible or is_whole or source.size <= size:
        yield Part(source)
        return
    for start in range(0, source.size, size):
        end = start + size
        yield Part(source, start, end if end < source.size else None)


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
