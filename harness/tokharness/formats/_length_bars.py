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
LONGEST_BAR, OTHER_COLUMNS = 24, 54
"""Columns of the longest bar, and of everything else in a row."""
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
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column(styled((Shown("vocabulary"), "")), justify="right")
    table.add_column(styled((Shown("tokens per 100 characters of"), "")), overflow="fold")
    for group in GROUPS:
        table.add_column(styled((terminal(group), "")), overflow="fold")
    for row in lengths:
        size = Shown("unknown") if row.vocabulary is None else Shown("{:,}").format(row.vocabulary)
        bars = [_bar(row.of(group), scale) for group in GROUPS]
        table.add_row(styled((size, "")), _name(row, names), *bars)
    console.print()
    console.print(table)
    if any(row.of(group).loses_text for row in lengths for group in GROUPS):
        note = Shown("dotted: a target that loses text, whose tokens stand for less than the text")
        console.print(styled((note, "")))


def _name(row: Lengths, names: Mapping[str, str]) -> Text:
    if row.is_unit:
        return styled((terminal(row.name), ""), style="dim")
    algorithm = Shown(", {}").format(row.algorithm) if row.algorithm else Shown("")
    length = row.of(ALL_TEXTS)
    lost = Shown("")
    if texts := length.lossy + length.not_encoded:
        lost = Shown(", loses text in {:,} of {:,}").format(texts, length.texts)
    return styled((Shown("{}{}").format(names[row.name], algorithm), ""), (lost, "yellow"))


def _bar(length: Length, scale: float) -> Text:
    value = length.tokens_per_100_characters
    if value is None:
        return styled((terminal(format_value(None)), ""))
    sign, style = (LOST, "yellow") if length.loses_text else (KEPT, "green")
    bar = terminal(sign * (max(round(value * scale), 1) if scale else 0))
    number = Shown("{:>5} ").format(format_value(value))
    return styled((number, "bold" if not length.loses_text else style), (bar, style))
