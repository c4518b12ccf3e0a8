"""Run checks on texts in blocks, and collect the texts that fail each check."""

from __future__ import annotations

import gc
import operator
import time
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.batch_columns import (
    Compared,
    Observed,
    batch_of,
    run_reference,
    run_target,
)
from tokharness.engine.worker.units import sample_evenly
from tokharness.model import Batch
from tokharness.targets.digests import BLOCK_CHARACTERS, BLOCK_TEXTS, Digest, block_ends, block_of
from tokharness.targets.packed_digests import pack

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from tokharness.engine.worker.time_limits import Timer
    from tokharness.plugins import Check
    from tokharness.targets.digests import Block
    from tokharness.targets.subject import Subject

# What a batch shows: how many texts were encoded, round-trip, or have the ids of the reference.
#
# It also shows whether a check saw any text: a check without texts has not passed.


@dataclass(frozen=True)
class _WatchedBatch(Batch):
    """A batch that records whether a check looks only at its rechecked rows."""

    reads: list[range] = field(default_factory=list)

    @property
    def rechecked_rows(self) -> range:
        rows = range(0, len(self.texts), self.recheck_every) if self.recheck_every else range(0)
        self.reads.append(rows)
        return rows


def count_encoded(batch: Batch) -> int:
    """Return the number of texts that have ids."""
    return operator.countOf(map(type, batch.ids), list)


def count_equal(ours: Sequence[object], theirs: Sequence[object]) -> int:
    """Return the number of rows with the same value, other than None, in both columns."""
    if ours == theirs and None not in ours:  # nearly always, and a fraction of the time
        return len(ours)
    return sum(one == other and one is not None for one, other in zip(ours, theirs, strict=True))


def count_compared(batch: Batch) -> int:
    """Return the number of texts with ids from both the target and the reference."""
    theirs = batch.reference_ids or ()
    if None not in batch.ids and None not in theirs:
        return len(theirs)
    pairs = zip(batch.ids, theirs, strict=True)
    return sum(one is not None and other is not None for one, other in pairs)


def failing_rows(check: Check, batch: Batch, subject: Subject) -> tuple[Sequence[int], bool]:
    """Return the rows that fail a check, and whether it saw a text."""
    watched = _WatchedBatch(*(getattr(batch, one.name) for one in fields(Batch)))
    rows = check.failing(watched, subject) if check.failing else ()
    if rows:
        return rows, True
    read = watched.reads[-1] if watched.reads else range(len(batch.texts))
    columns: list[Sequence[object]] = [batch.ids]
    if "decoded" in check.columns:
        columns.append(batch.decoded)
    if "reference" in check.requires:
        columns.append(batch.reference_ids or [None] * len(batch.texts))
    return rows, any(all(column[row] is not None for column in columns) for row in read)


INITIAL_TEXTS = 16
SHORT_PART = 0.05
"""Seconds below which a part of a block is short, so that the next part may be larger."""

MAX_FAILING = 8192
"""Failing texts that a unit returns for each check; a larger number is sampled evenly."""

MAX_FAILING_CHARACTERS = 5_000_000
"""Most characters of all failing texts that a unit returns; a text may have a million."""

BATCH_TIME_DIVISOR = 4
"""A part of a block gets a quarter of the time limit; beyond it, its texts are run one by one."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How to run texts.

    ``name`` is the family or source. With ``compared`` False the reference is not run. Checks that
    call the target again do so for every ``recheck_every``-th text of a block, or for no text if it
    is 0. With ``facts`` False, texts that only show facts do not fail. ``digested`` texts get
    digests; for blocks whose keys are ``known`` the reference is known to give the target's ids.
    A block has at most ``block_texts``, and ``block_characters`` unless it has one text.
    """

    name: str
    compared: bool = True
    recheck_every: int = 1
    facts: bool = True
    digested: bool = False
    known: Container[bytes] = ()
    block_texts: int = BLOCK_TEXTS
    block_characters: int = BLOCK_CHARACTERS


@dataclass
class UnitResult:
    """Result of a unit: the failing texts by check code, and counts.

    ``left_out`` counts texts that were not run because they may crash the target, ``not_compared``
    texts without ids from the reference, and ``not_run`` texts without time left for them.
    ``encoded`` counts texts that have ids, ``unchanged`` texts that decode to themselves,
    ``compared`` texts with ids on both sides, and ``same_ids`` texts with equal ids. ``unseen``
    has the codes of the checks that saw no text, and ``blocks`` the digests of ``digested`` texts.
    """

    failing: dict[str, list[str]]
    cases: int
    seconds: float = 0.0
    left_out: list[str] = field(default_factory=list)
    not_compared: list[str] = field(default_factory=list)
    encoded: int = 0
    unseen: set[str] = field(default_factory=set)
    unchanged: int = 0
    compared: int = 0
    same_ids: int = 0
    not_run: int = 0
    blocks: list[Block] = field(default_factory=list)

    def count(self, batch: Batch) -> None:
        """Add the counts of a batch."""
        self.encoded += len(batch.texts) if batch.all_ids is not None else count_encoded(batch)
        self.unchanged += count_equal(batch.texts, batch.decoded)
        if batch.reference_ids is not None:
            self.compared += count_compared(batch)
            self.same_ids += count_equal(batch.ids, batch.reference_ids)
        if batch.not_compared:
            self.not_compared += _not_compared(batch)

    def record(self) -> dict[str, Any]:
        """Return the result as plain data; very many failing texts are sampled and counted."""
        checks = sum(map(bool, self.failing.values()))
        failing = {
            code: _short_enough(sample_evenly(texts, MAX_FAILING), MAX_FAILING_CHARACTERS // checks)
            for code, texts in self.failing.items()
            if texts
        }
        left_out = {code: len(self.failing[code]) - len(texts) for code, texts in failing.items()}
        return {
            "cases": self.cases,
            "failing": failing,
            "failing_left_out": {code: count for code, count in left_out.items() if count},
            "left_out": len(self.left_out),
            "not_compared": len(self.not_compared),
            "encoded": self.encoded,
            "unseen": sorted(self.unseen),
            "unchanged": self.unchanged,
            "compared": self.compared,
            "same_ids": self.same_ids,
            "not_run": self.not_run,
            "seconds": self.seconds,
            "digest": pack(Digest(tuple(self.blocks))) if self.blocks else "",
        }


class BatchRunner:
    """Runs the checks of a subject; a ``guarded`` target may crash and is restarted."""

    def __init__(
        self, subject: Subject, checks: Sequence[Check], timer: Timer, *, guarded: bool
    ) -> None:
        self._subject, self._timer, self._guarded = subject, timer, guarded
        self._checks = [check for check in checks if check.failing is not None]
        self._columns = {column for check in checks for column in check.columns}
        self._parts, self._reference_parts = _Parts(), _Parts()

    def run(
        self,
        texts: Sequence[str],
        options: BatchOptions,
        *,
        on_batch: Callable[[Batch], object] | None = None,
        is_over: Callable[[], bool] = lambda: False,
    ) -> UnitResult:
        """Run texts in blocks until the time ``is_over``.

        Blocks do not depend on the speed of the target. ``on_batch`` is called with each batch.
        """
        codes = [check.code for check in self._checks]
        result = UnitResult({code: [] for code in codes}, 0, unseen=set(codes))
        start = 0
        for end in block_ends(texts, options.block_texts, options.block_characters):
            if is_over():
                break
            # No list of a block becomes garbage before the block is done; until then the garbage
            # collector would only traverse them all.
            gc.disable()
            try:
                self._run_block(options, texts[start:end], result, on_batch, is_over)
            finally:
                gc.enable()
            start = end
        return result

    def with_columns(self, subject: Subject, columns: Sequence[str]) -> BatchRunner:
        """Return a runner that runs no check, for these columns of the batches of a subject."""
        runner = BatchRunner(subject, (), self._timer, guarded=self._guarded)
        runner._columns = {*columns}
        return runner

    def only(self, code: str) -> BatchRunner:
        """Return a runner of one check."""
        checks = [check for check in self._checks if check.code == code]
        return BatchRunner(self._subject, checks, self._timer, guarded=self._guarded)

    def _run_block(
        self,
        options: BatchOptions,
        texts: Sequence[str],
        result: UnitResult,
        on_batch: Callable[[Batch], object] | None,
        is_over: Callable[[], bool],
    ) -> None:
        """Run one block and add to ``result``; the columns are freed on return."""
        begin = time.perf_counter()
        observed = self._observe(texts, is_over)
        texts = texts[: len(observed.ids)]
        decoded = observed.decoded if "decoded" in self._columns else None
        block = options.digested and block_of(texts, observed.ids, decoded, observed.errors)
        compared = Compared()
        if options.compared and "reference_ids" in self._columns:
            if block and block.key in options.known:
                compared = Compared(observed.ids)
            else:
                compared = self._compare(texts, observed)
        batch = batch_of(options.name, texts, observed, compared, options.recheck_every)
        batch = replace(batch, facts=options.facts)
        result.seconds += time.perf_counter() - begin
        result.cases += len(texts)
        if block:
            result.blocks.append(replace(block, agreed=_agrees(batch)))
        result.count(batch)
        if self._guarded:
            result.left_out += [
                texts[row]
                for row, ids in enumerate(batch.ids)
                if ids is None and row not in batch.errors
            ]
        with self._timer.limit(len("".join(texts))):  # checks may call the target again
            rows_by_code = self._failing_rows(batch, result)
        for code, rows in rows_by_code.items():
            result.failing[code] += [texts[row] for row in rows]
        if on_batch is not None:
            on_batch(batch)

    def _observe(self, texts: Sequence[str], is_over: Callable[[], bool]) -> Observed:
        """Run the target on texts, in parts that take little time, until the time is over."""
        observed = Observed()
        for part in self._parts.of(texts):
            with self._timer.limit(len("".join(part)), BATCH_TIME_DIVISOR):
                observed.add(
                    run_target(
                        self._subject.target, part, columns=self._columns, isolate=self._guarded
                    )
                )
            if is_over():
                break
        return observed

    def _compare(self, texts: Sequence[str], observed: Observed) -> Compared:
        """Run the reference on texts, in parts that take little time."""
        compared = Compared()
        for part in self._reference_parts.of(texts):
            start = len(compared.ids or ())
            ids = observed.ids[start : start + len(part)]
            with self._timer.limit(len("".join(part)), BATCH_TIME_DIVISOR):
                compared.add(run_reference(self._subject, part, ids, isolate=self._guarded))
        return compared

    def _failing_rows(self, batch: Batch, result: UnitResult) -> dict[str, Sequence[int]]:
        failing = {}
        for check in self._checks:
            if check.code in result.unseen:
                rows, saw_text = failing_rows(check, batch, self._subject)
                result.unseen -= {check.code} if saw_text else set()
            else:
                rows = check.failing(batch, self._subject) if check.failing else ()
            failing[check.code] = rows
        return failing


def _not_compared(batch: Batch) -> list[str]:
    rows = zip(batch.texts, batch.ids, batch.reference_ids or (), strict=True)
    return [text for text, ours, theirs in rows if ours is not None and theirs is None]


def _agrees(batch: Batch) -> bool:
    """Whether the reference gives the ids of the target for each text."""
    return batch.ids == batch.reference_ids and None not in batch.ids


def _short_enough(texts: Sequence[str], characters: int) -> Sequence[str]:
    """Keep every 2nd, 4th, 8th text and so on, until the texts have at most ``characters``."""
    while len(texts) > 1 and sum(map(len, texts)) > characters:
        texts = texts[::2]
    return texts


class _Parts:
    """Cuts texts into parts, so that a slow target does not look hung."""

    def __init__(self) -> None:
        self._size = INITIAL_TEXTS

    def of(self, texts: Sequence[str]) -> Iterator[Sequence[str]]:
        """Yield texts in parts; the size is doubled while working on a part takes little time."""
        start = 0
        while start < len(texts):
            part = texts[start : start + self._size]
            start += len(part)
            begin = time.perf_counter()
            yield part
            seconds = time.perf_counter() - begin
            if seconds < SHORT_PART:
                self._size = min(self._size * 2, BLOCK_TEXTS)
            elif seconds > 4 * SHORT_PART:
                self._size = max(self._size // 2, 1)
