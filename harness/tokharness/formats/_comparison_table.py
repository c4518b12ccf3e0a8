"""The comparison of targets, for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, terminal
from tokharness.results.comparison import format_value

if TYPE_CHECKING:
    from rich.console import Console

    from tokharness.results.comparison import Comparison

__all__ = ["print_comparison"]


def print_comparison(console: Console, comparison: Comparison | None) -> None:
    """Print a table: a row for each metric, a column for each target, the best value bold."""
    from rich.table import Table
    from rich.text import Text

    def text(shown: Shown, style: str = "") -> Text:
        return Text(shown, style)

    if comparison is None or not comparison.specs:
        console.print(text(Shown("no metrics were collected")))
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column(text(Shown("")), overflow="fold")
    for spec in comparison.specs:
        table.add_column(text(terminal(spec)), justify="right", overflow="fold")
    for group, members in groupby(comparison.rows, lambda row: row.group):
        rows = list(members)
        unit = rows[0].unit if len({row.unit for row in rows}) == 1 else ""
        heading = Shown("{}, {}").format(group, unit) if unit else terminal(group)
        table.add_row(text(heading, "bold"), *[text(Shown(""))] * len(comparison.specs))
        for row in rows:
            own = Shown(" ({})").format(row.unit) if row.unit and not unit else ""
            cells = [
                text(terminal(format_value(value)), "bold green" if at in row.best else "")
                for at, value in enumerate(row.values)
            ]
            table.add_row(text(Shown("  {}{}").format(row.name, own)), *cells)
    console.print(table)
