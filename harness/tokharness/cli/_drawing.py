"""What tables and rows of ``tokharness show`` are drawn with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, styled

if TYPE_CHECKING:
    import io
    from collections.abc import Container, Iterable

    from rich.console import Console
    from rich.table import Table

__all__ = ["console_for", "has_box_drawing", "is_narrow", "table_with"]

NARROW = 80
"""Columns of a terminal that has fewer columns of tables in it below this."""


def console_for(stream: io.StringIO, *, width: int | None, color: bool) -> Console:
    """Return a console that writes to a stream and changes no text."""
    from rich.console import Console

    return Console(
        file=stream,
        width=width or 120,
        force_terminal=color,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
    )


def has_box_drawing() -> bool:
    """Whether stdout can show lines of box drawing."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def is_narrow(console: Console) -> bool:
    """Whether a table of names, bytes and specs would break words."""
    return console.width < NARROW


def table_with(headings: Iterable[Shown], unbroken: Container[int] = ()) -> Table:
    """Return an empty table with these columns, in ASCII if stdout is not UTF-8.

    Columns of the numbers in ``unbroken`` are as wide as their cells.
    """
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD if has_box_drawing() else ASCII, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(styled((heading, "")), overflow="fold", no_wrap=number in unbroken)
    return table
