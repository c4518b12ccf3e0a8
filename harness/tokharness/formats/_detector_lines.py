"""What the checks of the vocabulary detect, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import Shown, shorten, styled, terminal
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tokharness.results.detectors import Detector

__all__ = ["example_of", "print_detectors"]

STYLES = {Verdict.BUG: "bold red", Verdict.RISK: "bold yellow", Verdict.FACT: "dim"}
LABEL, COUNT = 8, 9
"""Columns for a verdict, and for the number of tokens."""

MAX_EXAMPLE = 30
"""Columns of an example. If there is no room for it, the parts of a line just follow each other."""

EMPTY = Shown("")


def print_detectors(console: Console, rows: Sequence[Detector]) -> None:
    """Print a line for each class of tokens: its check, its name, its size, and an example."""
    from rich.padding import Padding

    names = max((len(terminal(row.name)) for row in rows), default=0)
    is_narrow = console.width < LABEL + len("TOK401 ") + names + COUNT + MAX_EXAMPLE
    for row in rows:
        line = (row.code, terminal(row.name), Shown("{:,}").format(row.tokens), example_of(row))
        if is_narrow:
            body = Shown("{} {}: {}  {}").format(*line)
        else:
            code, name, count, example = line
            body = Shown("{} {:<{}} {:>{}}  {}").format(code, name, names, count, COUNT, example)
        lines = styled((body, "")).wrap(console, max(console.width - LABEL, 20), overflow="fold")
        for number, part in enumerate(lines):
            label = Shown("{:<7} ").format(row.verdict.value if number == 0 else EMPTY)
            prefix = styled((label, STYLES[row.verdict]))
            console.print(Padding(prefix + part, 0, expand=False), soft_wrap=True)


def example_of(row: Detector) -> Shown:
    """Return an example in words: the text of the token in quotes, and its id."""
    if row.example is None:
        return EMPTY
    number = EMPTY if row.number is None else Shown(" (id {:,})").format(row.number)
    return Shown('"{}"{}').format(shorten(row.example, MAX_EXAMPLE), number)
