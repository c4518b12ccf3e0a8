"""Run checks on texts in batches, and collect the texts that fail each check."""

from __future__ import annotations

import gc
import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.seen_texts import (
    count_compared,
    count_encoded,
    count_equal,
    failing_rows,
)
from tokharness.engine.worker.units import sample_evenly

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.engine.worker.time_limits import Timer
    from tokharness.model import Batch
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["BatchOptions", "BatchRunner", "UnitResult"]

INITIAL_TEXTS, MAX_TEXTS, MAX_CHARACTERS = 16, 1000, 50_000
SHORT_BATCH = 0.05
"""Seconds below which a batch is short, and the next one may be larger."""

MAX_FAILING = 8192
"""Failing texts that a unit returns for each check; a larger number is sampled evenly."""

MAX_FAILING_CHARACTERS = 5_000_000
"""Characters of all failing texts that a unit returns; some texts have a million."""

BATCH_TIME_DIVISOR = 4
"""A batch gets a quarter of the time limit; if it takes longer, its texts are run one by one."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How to run texts.

    ``name`` is the family or source. With ``compared`` False the reference is not run. Checks that
    call the target again do so for every ``recheck_every``-th text, for none if it is 0. With
    ``facts`` False texts that show only what is by design do not fail.
    """

    name: str
    compared: bool = True
    recheck_every: int = 1
    facts: bool = True


@dataclass
class UnitResult:
    """Result of a unit: the failing texts by check code, and counts.

    ``left_out`` are texts that were not run because they may crash the target, ``not_compared``
    those that have no ids of the reference. ``encoded`` counts texts that have ids, and ``unseen``
    has the codes of the checks that saw no text. ``unchanged`` counts texts that decode to
    themselves, ``compared`` those with ids on both sides, and ``same_ids`` those with equal ones.
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
            "seconds": self.seconds,
        }


class BatchRunner:
    """Runs the checks of a subject; a ``guarded`` target may crash and is restarted."""

    def __init__(
        self, subject: Subject, checks: Sequence[Check], timer: Timer, *, guarded: bool
    ) -> None:
        self._subject, self._timer, self._guarded = subject, timer, guarded
        self._checks = [check for check in checks if check.failing is not None]
        self._columns = {column for check in checks for column in check.columns}
        self._batch_size = INITIAL_TEXTS

    def run(
        self,
        texts: Sequence[str],
        options: BatchOptions,
        *,
        on_batch: Callable[[Batch], object] | None = None,
        deadline: float = math.inf,
    ) -> UnitResult:
        """Run texts in batches until ``deadline``, a time of ``perf_counter``.

        ``on_batch`` is called with each batch.
        """
        codes = [check.code for check in self._checks]
        result = UnitResult({code: [] for code in codes}, 0, unseen=set(codes))
        start = 0
        while start < len(texts) and time.perf_counter() < deadline:
            batch, characters = _cut(texts, start, self._batch_size)
            start += len(batch)
            result.cases = start
            # No list of a batch becomes garbage before the batch is done; until then the garbage
            # collector would only traverse them all.
            gc.disable()
            try:
                self._run_batch(options, batch, characters, result, on_batch)
            finally:
                gc.enable()
        return result

    def only(self, code: str) -> BatchRunner:
        """Return a runner of one check."""
        checks = [check for check in self._checks if check.code == code]
        return BatchRunner(self._subject, checks, self._timer, guarded=self._guarded)

    def _run_batch(
        self,
        options: BatchOptions,
        texts: Sequence[str],
        characters: int,
        result: UnitResult,
        on_batch: Callable[[Batch], object] | None,
    ) -> None:
        """Run one batch and add to ``result``; the columns are freed on return."""
        columns = self._columns if options.compared else self._columns - {"reference_ids"}
        begin = time.perf_counter()
        with self._timer.limit(characters, BATCH_TIME_DIVISOR):
            batch = observe(
                self._subject,
                options.name,
                texts,
                columns=columns,
                isolate=self._guarded,
                recheck_every=options.recheck_every,
            )
        batch = replace(batch, facts=options.facts)
        seconds = time.perf_counter() - begin
        result.seconds += seconds
        self._batch_size = _next_batch_size(self._batch_size, seconds)
        result.encoded += len(texts) if batch.all_ids is not None else count_encoded(batch)
        result.unchanged += count_equal(batch.texts, batch.decoded)
        if batch.reference_ids is not None:
            result.compared += count_compared(batch)
            result.same_ids += count_equal(batch.ids, batch.reference_ids)
        if batch.not_compared:
            result.not_compared += _not_compared(batch)
        if self._guarded:
            result.left_out += [
                texts[row]
                for row, ids in enumerate(batch.ids)
                if ids is None and row not in batch.errors
            ]
        with self._timer.limit(characters):  # checks may call the target again
            rows_by_code = self._failing_rows(batch, result)
        for code, rows in rows_by_code.items():
            result.failing[code] += [texts[row] for row in rows]
        if on_batch is not None:
            on_batch(batch)

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


def _cut(texts: Sequence[str], start: int, size: int) -> tuple[Sequence[str], int]:
    """Return the next batch, shorter if its texts are long, and its number of characters."""
    batch = texts[start : start + size]
    # Several times as fast as a sum of lengths.
    while (characters := len("".join(batch))) > MAX_CHARACTERS and len(batch) > 1:
        batch = batch[: len(batch) // 2]
    return batch, characters


def _short_enough(texts: Sequence[str], characters: int) -> Sequence[str]:
    """Keep one text of 2, 4, 8 and so on, until they have so few characters together."""
    while len(texts) > 1 and sum(map(len, texts)) > characters:
        texts = texts[::2]
    return texts


def _next_batch_size(size: int, seconds: float) -> int:
    """Double the size while batches are short, so that a slow target does not look hung."""
    if seconds < SHORT_BATCH:
        return min(size * 2, MAX_TEXTS)
    return max(size // 2, 1) if seconds > 4 * SHORT_BATCH else size
