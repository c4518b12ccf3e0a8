"""Targets side by side, for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.escaping import terminal
from tokharness.results.comparison import told_value

if TYPE_CHECKING:
    from rich.console import Console

    from tokharness.results.comparison import Comparison

__all__ = ["compare"]


def compare(console: Console, found: Comparison | None) -> None:
    """Print a table: a row a value, a column a target, the best of a row bold."""
    from rich.table import Table
    from rich.text import Text

    if found is None or not found.targets:
        console.print(Text("nothing was measured"))
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column(Text(""), overflow="fold")
    for name in found.targets:
        table.add_column(Text(terminal(name)), justify="right", overflow="fold")
    for group, rows in groupby(found.rows, lambda row: row.group):
        some = list(rows)
        unit = some[0].unit if len({row.unit for row in some}) == 1 else ""
        head = f"{group}, {unit}" if unit else group
        table.add_row(Text(head, "bold"), *[Text("")] * len(found.targets))
        for row in some:
            own = f" ({row.unit})" if row.unit and not unit else ""
            cells = [
                Text(terminal(told_value(value)), "bold green" if at in row.best else "")
                for at, value in enumerate(row.values)
            ]
            table.add_row(Text(f"  {terminal(row.name)}{own}"), *cells)
    console.print(table)
