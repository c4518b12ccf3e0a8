"""The facts of a target, as a table for a terminal: a check, the kind of its fact, and the fact."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, sentence, styled, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from tokharness.model import Finding

__all__ = ["print_facts"]

LABEL, CODE, GAP = 8, 7, 2
MAX_KIND = 28
"""Columns of the longest kind that has a column of its own."""

NARROW, NARROWEST = 100, 60
"""Columns below which the kind of a fact has no column, and the check has none either."""

MAX_FACTS = 3
"""Facts of one check that are listed."""

STYLE = "dim"
EMPTY = Shown("")
Row = tuple[Shown, Shown, Shown]


def print_facts(console: Console, facts: Sequence[Finding], *, brief: bool) -> None:
    """Print a row for each fact; if ``brief``, for the first ones of each check."""
    rows = list(_rows(facts, brief=brief))
    lengths = [len(kind) for _, kind, _ in rows]
    kinds = max((length for length in lengths if length <= MAX_KIND), default=0) + GAP
    if console.width < NARROW:
        kinds = 0
    for row in rows:
        _print_row(console, row, kinds)


def _rows(facts: Sequence[Finding], *, brief: bool) -> Iterator[Row]:
    for code, group in groupby(facts, lambda finding: finding.code):
        findings = list(group)
        shown = findings[:MAX_FACTS] if brief and len(findings) > MAX_FACTS + 1 else findings
        for one in shown:
            yield terminal(code), terminal(one.cause.kind), sentence(one.message)
        if more := len(findings) - len(shown):
            line = Shown("and {} more: add --select {} for all").format(more, code)
            yield terminal(code), EMPTY, line


def _print_row(console: Console, row: Row, kinds: int) -> None:
    """Print a row whose text wraps in its own column; a long kind stands before the text."""
    from rich.padding import Padding

    code, kind, text = row
    codes = CODE if console.width >= NARROWEST else 0
    if not codes:
        code, text = EMPTY, Shown("{} {}").format(code, text)
    if kinds and len(kind) > kinds - GAP:
        kind, text = EMPTY, Shown("{}: {}").format(kind, text)
    before = LABEL + codes + kinds
    lines = styled((text, "")).wrap(console, max(console.width - before, 20), overflow="fold")
    for number, line in enumerate(lines):
        first = number == 0
        label = Shown("{:<{}}").format("fact" if first else EMPTY, LABEL)
        number_of_check = Shown("{:<{}}").format(code if first else EMPTY, codes)
        column = Shown("{:<{}}").format(kind if first else EMPTY, kinds) if kinds else EMPTY
        prefix = styled((label, STYLE), (number_of_check, ""), (column, STYLE))
        console.print(Padding(prefix + line, 0, expand=False), soft_wrap=True)
