"""The comparison of targets, for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, styled, terminal
from tokharness.formats._length_bars import print_lengths
from tokharness.results.comparison import format_value

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from tokharness.results.comparison import Comparison
    from tokharness.results.comparison.model import Value

__all__ = ["print_comparison"]

EMPTY = Shown("")


def print_comparison(console: Console, comparison: Comparison | None) -> None:
    """Print a table: a row for each metric, a column for each target, the best value bold."""
    from rich.table import Table

    if comparison is None or not comparison.specs:
        console.print(styled((Shown("no metrics were collected"), "")))
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column(styled((EMPTY, "")), overflow="fold")
    for spec in comparison.specs:
        table.add_column(styled((terminal(spec), "")), justify="right", overflow="fold")
    for group, members in groupby(comparison.rows, lambda row: row.group):
        rows = list(members)
        unit = rows[0].unit if len({row.unit for row in rows}) == 1 else ""
        heading = Shown("{}, {}").format(group, unit) if unit else terminal(group)
        empty = [styled((EMPTY, ""))] * len(comparison.specs)
        table.add_row(styled((heading, ""), style="bold"), *empty)
        for row in rows:
            own = Shown(" ({})").format(row.unit) if row.unit and not unit else ""
            cells = [_value(value, is_best=at in row.best) for at, value in enumerate(row.values)]
            table.add_row(styled((Shown("  {}{}").format(row.name, own), "")), *cells)
    console.print(table)
    print_lengths(console, comparison.lengths)


def _value(value: Value, *, is_best: bool) -> Text:
    return styled((terminal(format_value(value)), ""), style="bold green" if is_best else "")
