"""What tables and rows of ``tokharness show`` are drawn with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, styled

if TYPE_CHECKING:
    import io
    from collections.abc import Iterable

    from rich.console import Console
    from rich.table import Table

__all__ = ["console_for", "has_box_drawing", "table_with"]


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


def table_with(headings: Iterable[Shown]) -> Table:
    """Return an empty table with these columns, in ASCII if stdout is not UTF-8."""
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD if has_box_drawing() else ASCII, pad_edge=False)
    for heading in headings:
        table.add_column(styled((heading, "")), overflow="fold")
    return table
