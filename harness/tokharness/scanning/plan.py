"""What a scan does: its settings, and the corpus cut into shards."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.corpora.blocks import Reading
from tokharness.corpora.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
