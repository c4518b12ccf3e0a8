"""Whether a check saw any text: one that saw none has not passed."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from tokharness.model import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["count_encoded", "failing_rows"]


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
