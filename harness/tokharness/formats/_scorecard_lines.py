"""The scorecard of a target, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import Shown, styled, terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tokharness.results.scorecard import Line

__all__ = ["print_scorecard"]

STYLES = {"ok": "bold green", "risk": "bold yellow", "bug": "bold red", "skip": "cyan"}
LABEL, GAP = 8, 2
NARROW = 70
"""Columns below which a name stands before its value, and not in a column of its own."""

EMPTY = Shown("")


def print_scorecard(console: Console, lines: Sequence[Line]) -> None:
    """Print a line for each promise: its status, its name, and what was measured."""
    from rich.padding import Padding

    names = max((len(line.name) for line in lines), default=0) + GAP
    if console.width < NARROW:
        names = 0
    for line in lines:
        name = terminal(line.name)
        value = (
            Shown("{}").format(line.value) if names else Shown("{}: {}").format(name, line.value)
        )
        body = styled((value, ""))
        wrapped = body.wrap(console, max(console.width - LABEL - names, 20), overflow="fold")
        for number, text in enumerate(wrapped):
            first = number == 0
            label = Shown("{:<7} ").format(line.status if first else EMPTY)
            column = Shown("{:<{}}").format(name if first else EMPTY, names) if names else EMPTY
            prefix = styled((label, STYLES[line.status]), (column, "bold"))
            console.print(Padding(prefix + text, 0, expand=False), soft_wrap=True)
