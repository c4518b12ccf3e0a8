"""Try texts in batches, and keep which of them fail which check."""

from __future__ import annotations

import gc
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.observing import observe, with_hashable_ids
from tokharness.engine.worker.units import sample_evenly

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.engine.worker.timed import Timer
    from tokharness.model import Batch
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["BatchOptions", "BatchRunner", "UnitResult"]

FEW_TEXTS, MOST_TEXTS, MOST_CHARACTERS = 16, 1000, 50_000
SHORT_BATCH = 0.05
"""Seconds up to which a batch is short, and the next may be larger."""

MOST_FAILING = 8192
"""Failing texts of a check in one unit that are told one by one; of more, so many, evenly."""

SUSPECT = 4
"""Part of a text's time that a batch may take, before each of its texts is asked about alone."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How texts are tried: under which name, compared or not, every how manieth asked once more."""

    name: str
    compared: bool = True
    recheck_every: int = 1


@dataclass
class UnitResult:
    """What has become of a unit: failing texts by the code of the check, and counts."""

    failing: dict[str, list[str]]
    cases: int
    seconds: float = 0.0
    left_out: int = 0
    not_compared: int = 0

    def record(self) -> dict[str, Any]:
        """What is told of it; of very many failing texts some, and how many more there are."""
        kept = {
            code: sample_evenly(found, MOST_FAILING)
            for code, found in self.failing.items()
            if found
        }
        more = {code: len(self.failing[code]) - len(some) for code, some in kept.items()}
        return {
            "cases": self.cases,
            "failing": kept,
            "failing_left_out": {code: left for code, left in more.items() if left},
            "left_out": self.left_out,
            "not_compared": self.not_compared,
            "seconds": self.seconds,
        }


class BatchRunner:
    """A subject and its checks; ``guarded`` targets may die of a text, and go on."""

    def __init__(
        self, subject: Subject, checks: Sequence[Check], clock: Timer, *, guarded: bool
    ) -> None:
        self._subject, self._clock, self._guarded = subject, clock, guarded
        self._checks = [check for check in checks if check.failing is not None]
        self._columns = {column for check in checks for column in check.columns}
        self._most = FEW_TEXTS

    def run(
        self,
        texts: Sequence[str],
        options: BatchOptions,
        *,
        on_batch: Callable[[Batch], object] | None = None,
        deadline: float = math.inf,
    ) -> UnitResult:
        """Try texts, as many as begin before ``deadline``; ``on_batch`` sees each batch."""
        tried = UnitResult({check.code: [] for check in self._checks}, 0)
        start = 0
        while start < len(texts) and time.perf_counter() < deadline:
            batch, characters = _cut(texts, start, self._most)
            start += len(batch)
            tried.cases = start
            # Columns are many lists, none of which is garbage before the whole batch is; while
            # they live a collection would look through them all.
            gc.disable()
            try:
                self._try(options, batch, characters, tried, on_batch)
            finally:
                gc.enable()
        return tried

    def _try(
        self,
        options: BatchOptions,
        texts: Sequence[str],
        characters: int,
        tried: UnitResult,
        on_batch: Callable[[Batch], object] | None,
    ) -> None:
        """Try some texts, and add what came of them; the columns are gone afterwards."""
        columns = self._columns if options.compared else self._columns - {"reference_ids"}
        begin = time.perf_counter()
        with self._clock.limit(characters, SUSPECT):
            batch = observe(
                self._subject,
                options.name,
                texts,
                columns=columns,
                isolate=self._guarded,
                recheck_every=options.recheck_every,
            )
        took = time.perf_counter() - begin
        tried.seconds += took
        self._most = _next_most(self._most, took)
        tried.not_compared += batch.not_compared
        if self._guarded:
            tried.left_out += sum(
                ids is None and row not in batch.errors for row, ids in enumerate(batch.ids)
            )
        with self._clock.limit(characters):  # checks may ask the target once more
            try:
                rows_of = self._failing(batch)
            except (TypeError, ValueError):  # an id that cannot be looked up or compared
                rows_of = self._failing(with_hashable_ids(batch))
        for code, rows in rows_of.items():
            tried.failing[code] += [texts[row] for row in rows]
        if on_batch is not None:
            on_batch(batch)

    def _failing(self, batch: Batch) -> dict[str, Sequence[int]]:
        return {
            check.code: check.failing(batch, self._subject)
            for check in self._checks
            if check.failing is not None
        }


def _cut(texts: Sequence[str], start: int, most: int) -> tuple[Sequence[str], int]:
    """Cut the next batch, of few texts where they are long, and count its characters."""
    batch = texts[start : start + most]
    # Several times as fast as a sum of lengths.
    while (characters := len("".join(batch))) > MOST_CHARACTERS and len(batch) > 1:
        batch = batch[: len(batch) // 2]
    return batch, characters


def _next_most(most: int, seconds: float) -> int:
    """Let batches grow while they are short, so that a slow target is not taken for a hang."""
    if seconds < SHORT_BATCH:
        return min(most * 2, MOST_TEXTS)
    return max(most // 2, 1) if seconds > 4 * SHORT_BATCH else most
