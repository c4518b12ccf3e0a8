"""All ids of some texts in a row, and what checks ask of them at once.

If NumPy is loaded, as in a scan, the ids are an array. It is read from the bytes of ``marshal``,
which has the type and the value of each item in one pass, in a third of the time of a look at each
type, a set and an array. A check alone does not load NumPy, which would take longer than it gains.
"""

from __future__ import annotations

import marshal
import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.boundary.values import all_exact

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

VERSION = 2
"""The version of ``marshal`` without references: each list and each small integer has its own
record of a byte for the type and four bytes for the length or the value."""

LIST, INTEGER = ord("["), ord("i")


@dataclass(frozen=True)
class IdColumn:
    """Exact integers, in a list or in an array of NumPy."""

    numbers: Any

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def _different(self) -> frozenset[int]:
        return frozenset(self.numbers)  # a text of a million characters has few different ids

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The smallest and the largest id; empty without ids."""
        if not len(self):
            return ()
        if isinstance(self.numbers, list):
            return min(self._different), max(self._different)
        return int(self.numbers.min()), int(self.numbers.max())

    def has_any(self, ids: Collection[int]) -> bool:
        """Whether one of these ids occurs."""
        if isinstance(self.numbers, list) or not len(self):
            return not self._different.isdisjoint(ids)
        smallest, largest = self.ends
        near = [one for one in ids if smallest <= one <= largest]
        return bool(near) and bool(sys.modules["numpy"].isin(self.numbers, near).any())


def column_of(rows: list[list[Any]]) -> IdColumn | None:
    """Return the items of exact lists as a column; None if one is no exact integer."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and (array := _array(numpy, rows)) is not None:
        return IdColumn(array)
    numbers = list(chain.from_iterable(rows))
    return IdColumn(numbers) if all_exact(numbers, int) else None


def joined(columns: Sequence[IdColumn]) -> IdColumn:
    """Return the ids of columns, one after another."""
    if len(columns) == 1:
        return columns[0]
    rows = [one.numbers for one in columns]
    if rows and not any(isinstance(one, list) for one in rows):
        return IdColumn(sys.modules["numpy"].concatenate(rows))
    listed = (one if isinstance(one, list) else one.tolist() for one in rows)
    return IdColumn(list(chain.from_iterable(listed)))


def _array(numpy: Any, rows: Any) -> Any:
    """Return the items of exact lists; None if one is no exact integer of four bytes.

    A record of another type may be longer. But if the first one has five bytes, the second one
    begins behind it, and so on: all are lists or integers if each fifth byte says so, and no item
    is a list if there is no list but the rows.
    """
    try:
        data = marshal.dumps(rows, VERSION)
    except ValueError:  # an item of a type that it does not know
        return None
    if len(data) != 5 * (1 + len(rows) + sum(map(len, rows))):
        return None
    records = numpy.frombuffer(data, dtype=[("type", "u1"), ("value", "<i4")])
    is_integer = records["type"] == INTEGER
    lists = numpy.count_nonzero(records["type"] == LIST)
    if lists != 1 + len(rows) or lists + numpy.count_nonzero(is_integer) != len(records):
        return None
    return records["value"][is_integer]
