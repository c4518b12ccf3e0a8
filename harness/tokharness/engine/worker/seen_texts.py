"""What a batch shows: how many texts were encoded, came back, or have the ids of the reference.

Also whether a check saw any text: one that saw none has not passed.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from tokharness.model import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["count_compared", "count_encoded", "count_equal", "failing_rows"]


@dataclass(frozen=True)
class _WatchedBatch(Batch):
    """A batch that knows whether a check looks at its rechecked rows only."""

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
    """Return the number of texts that have ids of the target and of the reference."""
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
