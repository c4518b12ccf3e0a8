"""The comparison of targets, for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, styled, terminal
from tokharness.formats._length_bars import print_lengths
from tokharness.results.comparison import format_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tokharness.results.comparison import Comparison
    from tokharness.results.comparison.model import Value

__all__ = ["print_comparison"]

EMPTY = Shown("")
NAMES, VALUES, GAP = 12, 8, 2
"""Columns for names and values, in which their words are whole, and between them."""


def print_comparison(console: Console, comparison: Comparison | None) -> None:
    """Print a table: a row for each metric, a column for each target, the best value bold.

    Targets that do not fit next to the others have a table of their own below.
    """
    if comparison is None or not comparison.specs:
        console.print(styled((Shown("no metrics were collected"), "")))
        return
    many = max((console.width - NAMES) // (VALUES + GAP), 1)
    for start in range(0, len(comparison.specs), many):
        if start:
            console.print()
        console.print(_table(comparison, slice(start, start + many), console.width))
    print_lengths(console, comparison.lengths)
    for note in comparison.notes:
        console.print()
        console.print(styled((terminal(note), "")))


def _table(comparison: Comparison, part: slice, width: int) -> Table:
    """Return the table of some of the targets."""
    from rich.table import Table

    specs, lines = comparison.specs[part], list(_lines(comparison))
    names = _columns_of_names(max((name.cell_len for name, _ in lines), default=0), specs, width)
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column(styled((EMPTY, "")), overflow="fold", width=names)
    for spec in specs:
        table.add_column(styled((terminal(spec), "")), justify="right", overflow="fold")
    for name, cells in lines:
        table.add_row(name, *cells[part])
    return table


def _lines(comparison: Comparison) -> Iterator[tuple[Text, list[Text]]]:
    """Yield the name of each group and of each row, with a cell for each target."""
    for group, members in groupby(comparison.rows, lambda row: row.group):
        rows = list(members)
        unit = rows[0].unit if len({row.unit for row in rows}) == 1 else ""
        heading = Shown("{}, {}").format(group, unit) if unit else terminal(group)
        empty = [styled((EMPTY, ""))] * len(comparison.specs)
        yield styled((heading, ""), style="bold"), empty
        for row in rows:
            own = Shown(" ({})").format(row.unit) if row.unit and not unit else ""
            cells = [_value(value, is_best=at in row.best) for at, value in enumerate(row.values)]
            yield styled((Shown("  {}{}").format(row.name, own), "")), cells


def _columns_of_names(longest: int, specs: Sequence[str], width: int) -> int:
    """Return the columns of the longest name; at most what specs leave, or an equal share."""
    left = width - sum(len(spec) + GAP for spec in specs)
    share = (width - GAP * len(specs)) // (len(specs) + 1)
    return max(NAMES, min(longest, max(left, share)))


def _value(value: Value, *, is_best: bool) -> Text:
    return styled((terminal(format_value(value)), ""), style="bold green" if is_best else "")
