"""Scan one shard: the function that every engine calls, in the process of a worker.

``python -m tokharness.scanning.shard`` is the process: a worker of the engine that knows shards.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.corpora.documents import is_numbered_from_start, read_documents
from tokharness.corpora.streams import BLOCK_SIZE
from tokharness.engine.requests import ShardRequest
from tokharness.engine.worker.batches import BatchOptions
from tokharness.engine.worker.main import main
from tokharness.errors import UnreachableError
from tokharness.outcome import Raised
from tokharness.scanning.measuring import EXCERPT, Measuring
from tokharness.scanning.plan import SCALE, SmallestPlaces, parts_of, place_of, settings_of
from tokharness.scanning.record import COLUMNS, PLACES, PLACES_OF_SAMPLE, Record
from tokharness.scanning.summary import VOCABULARY_SIZE
from tokharness.targets.processes.deadlines import is_asked_to_stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.corpora.blocks import Block
    from tokharness.engine.requests import Request
    from tokharness.engine.worker.main import Operation
    from tokharness.engine.worker.state import WorkerState
    from tokharness.scanning.plan import Part, Settings


TIMED_SECONDS = 0.03
"""Seconds for the documents of a shard that are timed one by one."""

BLOCK_TEXTS, BLOCK_CHARACTERS = 1 << 13, BLOCK_SIZE
"""Most texts and characters of a block: the calls for each block, which is made of the documents
that are read at once, take a fifth of the time if a block is as small as for digests."""

SLOWEST_BYTES = 256
"""Bytes of the shortest document that is timed."""

MOST_COLUMNS = 1000
"""Names of columns of a shard that are compared with a name that is missing."""


def respond(state: WorkerState, request: ShardRequest) -> dict[str, Any]:
    """Scan a shard; the response depends on the shard alone, but for times."""
    state.set_crashers(())
    try:
        return _response(state, request)
    except UnreachableError as error:
        rest = {"crashers": [], "seconds": 0.0, "is_whole": True, "unread": str(error)}
        return {**Record().plain(), **rest}


def _response(state: WorkerState, request: ShardRequest) -> dict[str, Any]:
    settings = settings_of(request.settings)
    if settings.smallest:
        return _places(request, settings)
    scan = _Scan(state, settings)
    if (size := state.subject.target.n_vocab) is not None:
        scan.measuring.record.put(VOCABULARY_SIZE, [[size]])
    is_whole = True
    for part in parts_of(request.parts):
        is_whole = is_whole and scan.run(part)
    scan.time_slowest()
    return {
        **scan.measuring.finish().plain(),
        "crashers": state.crashers(()),
        "seconds": scan.seconds,
        "is_whole": is_whole,
        "unread": "",
    }


def _places(request: ShardRequest, settings: Settings) -> dict[str, Any]:
    """Return the smallest places of the documents of a shard, and how many have each."""
    found, is_whole = SmallestPlaces(settings.smallest), True
    for part in parts_of(request.parts):
        for block in read_documents(part.source, settings.reading, part.start, part.end):
            found.add((place_of(text), 1) for text in block.texts)
            is_whole = is_whole and not is_asked_to_stop()
            if not is_whole:
                break
    found.trim()
    record = Record({PLACES_OF_SAMPLE: {str(key): [n] for key, n in found.counts.items()}})
    rest = {"crashers": [], "seconds": 0.0, "is_whole": is_whole, "unread": ""}
    return {**record.plain(), **rest}


@dataclass(slots=True)
class _Documents:
    """Documents of one block of a file that are run together."""

    texts: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    languages: list[str | None] = field(default_factory=list)


class _Scan:
    """Runs the documents of a shard, in blocks, and adds up what they show."""

    def __init__(self, state: WorkerState, settings: Settings) -> None:
        self._state, self._settings = state, settings
        self.measuring = Measuring(settings, state.subject.special_tokens)
        self.seconds = 0.0
        self._columns: set[str] = set()
        self._place: list[Any] = []
        self._slowest: tuple[float, list[Any], _Documents] = (0.0, [], _Documents())

    def run(self, part: Part) -> bool:
        """Run the documents of a part; return False if the worker was asked to stop."""
        record, source = self.measuring.record, part.source
        start = 0 if is_numbered_from_start(source) else part.start
        self._place = [source.name, start]
        last = 0
        blocks = read_documents(source, self._settings.reading, part.start, part.end)
        for block in blocks:
            last = block.last
            self._add_bad(block)
            self._add_columns(block)
            for documents, is_compared in self._chosen(block):
                self._run(documents, is_compared=is_compared)
            if is_asked_to_stop():
                return False
        if not is_numbered_from_start(source):
            record.add("rows", f"{source.name}\n{start}", last)
        record.add("total", "parts", 1)
        return True

    def _add_bad(self, block: Block) -> None:
        record = self.measuring.record
        if block.empty:
            record.add("total", "empty", block.empty)
        for reason, row in block.bad:
            record.add("bad", reason, 1)
            record.put(f"{PLACES}bad {reason}", [[*self._place, row]])

    def _add_columns(self, block: Block) -> None:
        """Add whether the file has the columns that the user named, and similar ones that it has.

        The most similar names are the smallest rows of the sample.
        """
        record, source = self.measuring.record, self._place[0]
        for (option, has_it), count in block.named.items():
            record.add(COLUMNS, f"{option}\n{source}", count * has_it, count * (not has_it))
        new = block.others - self._columns
        if len(self._columns) < MOST_COLUMNS:
            self._columns |= new
            for option, column in self._settings.reading.named:
                rows = [[_distance(column, name), name[:EXCERPT]] for name in new]
                record.put(f"{COLUMNS} {option}", rows)

    def _chosen(self, block: Block) -> list[tuple[_Documents, bool]]:
        """Return the documents of the sample that are compared, and the other documents."""
        settings, subject = self._settings, self._state.subject
        compared = settings.compared if subject.reference is not None else 0.0
        whole = _Documents(block.texts, block.rows, block.languages)
        if settings.sample >= 1 and compared in (0.0, 1.0):
            return [(whole, compared == 1.0)] if block.texts else []
        self.measuring.record.add("total", "in files", len(block.texts))
        limit, limit_of_compared = settings.sample * SCALE, settings.sample * compared * SCALE
        parts = _Documents(), _Documents()
        for text, row, language in zip(block.texts, block.rows, block.languages, strict=True):
            place = place_of(text)
            if place < limit:
                chosen = parts[place >= limit_of_compared]
                chosen.texts.append(text)
                chosen.rows.append(row)
                chosen.languages.append(language)
        return [(one, number == 0) for number, one in enumerate(parts) if one.texts]

    def _run(self, documents: _Documents, *, is_compared: bool) -> None:
        measuring = self.measuring
        measuring.set_documents(self._place, documents.rows, documents.languages)
        options = BatchOptions(
            self._place[0],
            compared=is_compared,
            recheck_every=0,
            block_texts=BLOCK_TEXTS,
            block_characters=BLOCK_CHARACTERS,
        )
        result = self._state.batches.run(
            documents.texts, options, on_batch=measuring.add, is_over=is_asked_to_stop
        )
        for name in ("cases", "encoded", "unchanged", "compared", "same_ids"):
            measuring.record.add("total", name, getattr(result, name))
        for name in ("left_out", "not_compared"):
            if getattr(result, name):
                measuring.record.add("total", name, len(getattr(result, name)))
        measuring.add_failing(result.failing, documents.texts)
        self.seconds += result.seconds
        size = sum(map(len, documents.texts))
        if size and result.seconds / size > self._slowest[0]:
            self._slowest = result.seconds / size, self._place, documents

    def time_slowest(self) -> None:
        """Time the documents of the slowest block one by one, in a process without a fault."""
        _, place, documents = self._slowest
        if self._state.guarded:
            return
        subject, begin = self._state.timed_subject(), time.perf_counter()
        rows = []
        for text, row in zip(documents.texts, documents.rows, strict=True):
            size = len(text.encode("utf-8", "surrogatepass"))
            if size < SLOWEST_BYTES:
                continue
            start = time.perf_counter()
            ids = subject.target.encode(text)
            seconds = time.perf_counter() - start
            if not isinstance(ids, Raised):
                rank = -round(seconds / size * 1e9)
                rows.append([rank, *place, row, len(ids), size, text[:EXCERPT]])
            if time.perf_counter() - begin > TIMED_SECONDS:
                break
        self.measuring.record.put("slowest", rows)


def _distance(name: str, other: str) -> float:
    """Return how little two names have in common, from 0 to 1."""
    pair = name[:EXCERPT].casefold(), other[:EXCERPT].casefold()
    return round(1 - SequenceMatcher(None, *pair).ratio(), 3)


MODULE = "tokharness.scanning.shard"
OPERATIONS: Mapping[type[Request], Operation] = MappingProxyType({ShardRequest: respond})

if __name__ == "__main__":
    main(OPERATIONS)
