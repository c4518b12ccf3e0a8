"""What a scan of a part of a corpus found: sums and small samples that merge in any order.

A record has tables of integers, which are added, counts of token ids, which are added, and samples,
of which the smallest rows are kept. So ``merge`` is associative and commutative, and a scan has the
same result for any number of workers and any order in which its shards finish.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Table: TypeAlias = "dict[str, list[int]]"
Row: TypeAlias = "list[Any]"

FAILING = "failing "
"""Beginning of the names of the samples of documents that fail a check; its code follows."""

PLACES = "places of "
"""Beginning of the names of the samples of places: of a character, a token, or a reason."""

COLUMNS = "columns"
"""The table of the columns that the user named, by option and file: rows that have it, and rows
that do not; and the beginning of the names of the samples of other columns, by option."""

PLACES_OF_SAMPLE = "sample"
"""The table of documents by the places of their texts, of the first pass of a sample by number."""

ROWS, FAILING_ROWS, PLACES_ROWS = 20, 200, 5
"""Rows of a sample."""

FAILING_CHARACTERS = 400_000
"""Characters of the texts of a sample of failing documents, which are whole; one text is kept."""


@dataclass(slots=True)
class Record:
    """Sums and samples of some documents.

    ``tables`` has integers by the name of the table and of its row, ``tokens`` how often each id
    occurs, and ``samples`` rows that begin with what they are sorted by; the last value of a row
    of failing documents is the text.
    """

    tables: dict[str, Table] = field(default_factory=dict)
    tokens: Counter[int] = field(default_factory=Counter)
    samples: dict[str, list[Row]] = field(default_factory=dict)

    def add(self, table: str, row: str, *values: int) -> None:
        """Add integers to a row of a table."""
        rows = self.tables.setdefault(table, {})
        old = rows.get(row)
        rows[row] = (
            list(values) if old is None else [a + b for a, b in zip(old, values, strict=True)]
        )

    def put(self, sample: str, rows: Iterable[Row]) -> None:
        """Add rows to a sample, and keep the smallest."""
        old = self.samples.get(sample, [])
        if _is_full(sample, old):  # few rows change it
            largest = _key(old[-1])
            rows = [row for row in rows if _key(row) < largest]
        if rows := list(rows):
            self.samples[sample] = _smallest(sample, [*old, *rows])

    def value(self, table: str, row: str = "", column: int = 0) -> int:
        """Return an integer of a table; 0 if the table has no such row."""
        values = self.tables.get(table, {}).get(row)
        return values[column] if values else 0

    def plain(self) -> dict[str, Any]:
        """Return the record as plain JSON data."""
        tokens = [number for pair in sorted(self.tokens.items()) for number in pair]
        return {"tables": self.tables, "tokens": tokens, "samples": self.samples}


def record_of(data: Mapping[str, Any]) -> Record:
    """Return the record of plain data; the inverse of ``plain``."""
    tokens = data["tokens"]
    counts = Counter(dict(zip(tokens[::2], tokens[1::2], strict=True)))
    return Record(
        {name: dict(table) for name, table in data["tables"].items()},
        counts,
        {name: list(rows) for name, rows in data["samples"].items()},
    )


def add_into(total: Record, other: Record) -> None:
    """Add a record to another one."""
    for table, rows in other.tables.items():
        for row, values in rows.items():
            total.add(table, row, *values)
    total.tokens.update(other.tokens)
    for sample, chosen in other.samples.items():
        total.put(sample, chosen)


def merge(records: Iterable[Record]) -> Record:
    """Return the sum of records; any order and any grouping gives the same."""
    total = Record()
    for record in records:
        add_into(total, record)
    return total


def _most(sample: str) -> int:
    if sample.startswith(FAILING):
        return FAILING_ROWS
    return PLACES_ROWS if sample.startswith(PLACES) else ROWS


def _is_full(sample: str, rows: list[Row]) -> bool:
    """Whether no row that is larger than all of these enters a sample.

    A row of failing documents begins with the length of its text.
    """
    if len(rows) >= _most(sample):
        return True
    if not rows or not sample.startswith(FAILING):
        return False
    return sum(len(row[-1]) for row in rows) + len(rows[-1][-1]) > FAILING_CHARACTERS


def _smallest(sample: str, rows: list[Row]) -> list[Row]:
    ordered = [row for row, _ in groupby(sorted(rows, key=_key))]
    if not sample.startswith(FAILING):
        return ordered[: _most(sample)]
    kept: list[Row] = []
    characters = 0
    for row in ordered[:FAILING_ROWS]:
        characters += len(row[-1])
        if kept and characters > FAILING_CHARACTERS:
            break
        kept.append(row)
    return kept


def _key(row: Row) -> list[tuple[str, Any]]:
    """Return a key that orders values of several types."""
    return [("number" if isinstance(one, int | float) else "text", one) for one in row]
