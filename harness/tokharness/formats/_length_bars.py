"""Vocabulary against sequence length, as bars for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import Shown, styled, terminal
from tokharness.formats._short_names import short_names
from tokharness.results.comparison import format_value
from tokharness.results.comparison.lengths import ALL_LANGUAGES, ALL_TEXTS, PROSE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.text import Text

    from tokharness.results.comparison import Length, Lengths

__all__ = ["print_lengths"]

GROUPS = (PROSE, ALL_LANGUAGES)
NO_SIZE = Shown("")
LONGEST_BAR, OTHER_COLUMNS = 24, 54
"""Columns of the longest bar, and of everything else in a row."""
SMALLEST_WITH_SIZES = 60
"""Columns of the terminal; with fewer, the size of a vocabulary is next to the name."""
KEPT, LOST = "=", "."
"""What a bar consists of, if the tokens stand for all the text, and if not."""


def print_lengths(console: Console, lengths: Sequence[Lengths]) -> None:
    """Print a row for each unit and each target, by the size of the vocabulary; none without any.

    A bar is as long as a sequence; of a target that loses text it is dotted.
    """
    from rich.table import Table

    if not lengths:
        return
    values = [row.of(group).tokens_per_100_characters or 0.0 for row in lengths for group in GROUPS]
    longest = min(max((console.width - OTHER_COLUMNS) // len(GROUPS), 0), LONGEST_BAR)
    scale = longest / (max(values) or 1.0)
    names = short_names(row.name for row in lengths if not row.is_unit)
    has_sizes = console.width >= SMALLEST_WITH_SIZES
    table = Table(box=None, pad_edge=False, show_edge=False)
    if has_sizes:
        table.add_column(styled((Shown("vocabulary"), "")), justify="right")
    table.add_column(styled((Shown("tokens per 100 characters of"), "")), overflow="fold")
    between = Shown(" ") if has_sizes else Shown("\n")
    for group in GROUPS:
        heading = between.join(list(map(terminal, group.split())))
        table.add_column(styled((heading, "")), overflow="fold", no_wrap=not has_sizes)
    for row in lengths:
        size = Shown("unknown") if row.vocabulary is None else Shown("{:,}").format(row.vocabulary)
        bars = [_bar(row.of(group), scale) for group in GROUPS]
        if has_sizes:
            table.add_row(styled((size, "")), _name(row, names), *bars)
        else:
            table.add_row(_name(row, names, Shown(", vocabulary {}").format(size)), *bars)
    console.print()
    console.print(table)
    if any(row.of(group).loses_text for row in lengths for group in GROUPS):
        note = Shown("dotted: a target that loses text, whose tokens stand for less than the text")
        console.print(styled((note, "")))


def _name(row: Lengths, names: Mapping[str, str], size: Shown = NO_SIZE) -> Text:
    if row.is_unit:
        return styled((Shown("{}{}").format(row.name, size), ""), style="dim")
    algorithm = Shown(", {}").format(row.algorithm) if row.algorithm else Shown("")
    length = row.of(ALL_TEXTS)
    lost = Shown("")
    if texts := length.lossy + length.not_encoded:
        lost = Shown(", loses text in {:,} of {:,}").format(texts, length.texts)
    name = Shown("{}{}{}").format(names[row.name], algorithm, size)
    return styled((name, ""), (lost, "yellow"))


def _bar(length: Length, scale: float) -> Text:
    value = length.tokens_per_100_characters
    if value is None:
        return styled((terminal(format_value(None)), ""))
    sign, style = (LOST, "yellow") if length.loses_text else (KEPT, "green")
    bar = terminal(sign * (max(round(value * scale), 1) if scale else 0))
    number = Shown("{:>5} ").format(format_value(value))
    return styled((number, "bold" if not length.loses_text else style), (bar, style))
