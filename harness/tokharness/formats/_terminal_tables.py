"""Tables for a terminal: the scorecard, the facts of a target, and what the audit detects."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, sentence, shorten, styled, terminal
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from tokharness.model import Finding
    from tokharness.results.detectors import Detector
    from tokharness.results.scorecard import Line

LINE_STYLES = {"ok": "bold green", "risk": "bold yellow", "bug": "bold red", "skip": "cyan"}
LINE_LABEL, LINE_GAP = 8, 2
NARROW_LINE = 70
"""Columns below which a name stands before its value, and not in a column of its own."""

EMPTY = Shown("")


def print_scorecard(console: Console, lines: Sequence[Line]) -> None:
    """Print a line for each promise: its status, its name, and what was measured."""
    from rich.padding import Padding

    names = max((len(line.name) for line in lines), default=0) + LINE_GAP
    if console.width < NARROW_LINE:
        names = 0
    for line in lines:
        name = terminal(line.name)
        value = (
            Shown("{}").format(line.value) if names else Shown("{}: {}").format(name, line.value)
        )
        body = styled((value, ""))
        wrapped = body.wrap(console, max(console.width - LINE_LABEL - names, 20), overflow="fold")
        for number, text in enumerate(wrapped):
            first = number == 0
            label = Shown("{:<7} ").format(line.status if first else EMPTY)
            column = Shown("{:<{}}").format(name if first else EMPTY, names) if names else EMPTY
            prefix = styled((label, LINE_STYLES[line.status]), (column, "bold"))
            console.print(Padding(prefix + text, 0, expand=False), soft_wrap=True)


# The facts of a target, as a table for a terminal: a check, the kind of its fact, and the fact.

LABEL, CODE, GAP = 8, 7, 2
MAX_KIND = 28
"""Longest kind, in columns, that has a column of its own."""

NARROW, NARROWEST = 100, 60
"""Columns below which the kind of a fact has no column, and the check has none either."""

MAX_FACTS = 3
"""Facts of one check that are listed."""

STYLE = "dim"
Row = tuple[Shown, Shown, Shown]


def print_facts(console: Console, facts: Sequence[Finding], *, brief: bool) -> None:
    """Print a row for each fact; if ``brief``, for the first facts of each check."""
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


# Results of the vocabulary checks, for a terminal.

STYLES = {Verdict.BUG: "bold red", Verdict.RISK: "bold yellow", Verdict.FACT: "dim"}
DETECTOR_LABEL, COUNT = 8, 9
"""Columns for a verdict, and for the number of tokens."""

MAX_EXAMPLE = 30
"""Columns of an example. Without room for it, the parts of a line follow each other."""


def print_detectors(console: Console, rows: Sequence[Detector]) -> None:
    """Print a line for each class of tokens: its check, its name, its size, and an example."""
    from rich.padding import Padding

    names = max((len(terminal(row.name)) for row in rows), default=0)
    is_narrow = console.width < DETECTOR_LABEL + len("TOK401 ") + names + COUNT + MAX_EXAMPLE
    for row in rows:
        line = (row.code, terminal(row.name), Shown("{:,}").format(row.tokens), example_of(row))
        if is_narrow:
            body = Shown("{} {}: {}  {}").format(*line)
        else:
            code, name, count, example = line
            body = Shown("{} {:<{}} {:>{}}  {}").format(code, name, names, count, COUNT, example)
        lines = styled((body, "")).wrap(
            console, max(console.width - DETECTOR_LABEL, 20), overflow="fold"
        )
        for number, part in enumerate(lines):
            label = Shown("{:<7} ").format(row.verdict.value if number == 0 else EMPTY)
            prefix = styled((label, STYLES[row.verdict]))
            console.print(Padding(prefix + part, 0, expand=False), soft_wrap=True)


def example_of(row: Detector) -> Shown:
    """Return an example: the text of the token in quotes, and its id."""
    if row.example is None:
        return EMPTY
    number = EMPTY if row.number is None else Shown(" (id {:,})").format(row.number)
    return Shown('"{}"{}').format(shorten(row.example, MAX_EXAMPLE), number)
