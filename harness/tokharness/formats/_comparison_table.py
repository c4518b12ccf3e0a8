"""The comparison of targets for a terminal: a table, and bars of vocabulary against length."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, styled, terminal
from tokharness.results.comparison import format_value
from tokharness.results.comparison.lengths import ALL_LANGUAGES, ALL_TEXTS, PROSE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tokharness.results.comparison import Comparison, Length, Lengths
    from tokharness.results.comparison.lengths import Value

# Short names of targets: their specs without folders, if the short specs still differ.


def short_names(specs: Iterable[str]) -> Mapping[str, str]:
    """Return a short name of each spec, ``hf:llama2.json`` for ``hf:folder/llama2.json``.

    Specs that would have the same short name keep the whole spec.
    """
    names = {spec: _without_folders(spec) for spec in specs}
    counts = Counter(names.values())
    return {spec: name if counts[name] == 1 else spec for spec, name in names.items()}


def _without_folders(spec: str) -> str:
    scheme, colon, rest = spec.partition(":")
    return f"{scheme}{colon}{rest.rpartition('/')[2]}" if rest.rpartition("/")[2] else spec


# Vocabulary against sequence length, as bars for a terminal.

GROUPS = (PROSE, ALL_LANGUAGES)
NO_SIZE = Shown("")
LONGEST_BAR, OTHER_COLUMNS = 24, 54
"""Columns of the longest bar, and of everything else in a row."""
SMALLEST_WITH_SIZES = 60
"""Columns of the terminal; with fewer, the size of a vocabulary is next to the name."""
KEPT, LOST = "=", "."
"""Characters of a bar, if the tokens stand for all the text, and if they do not."""


def print_lengths(console: Console, lengths: Sequence[Lengths]) -> None:
    """Print a row for each unit and each target, by the size of the vocabulary; none without any.

    A bar is as long as a sequence; the bar of a target that loses text is dotted.
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


EMPTY = Shown("")
NAMES, VALUES, GAP = 12, 8, 2
"""Columns for names and for values, enough for whole words, and between them."""


def print_comparison(console: Console, comparison: Comparison | None) -> None:
    """Print a table: a row for each metric, a column for each target, the best value bold.

    Targets that do not fit next to the others have a table of their own below.
    """
    if comparison is None or not comparison.specs:
        console.print(styled((Shown("no metrics were collected"), "")))
        return
    many = max((console.width - NAMES) // (VALUES + GAP), 1)
    for start in range(0, len(comparison.specs), many):
        if start:
            console.print()
        console.print(_table(comparison, slice(start, start + many), console.width))
    print_lengths(console, comparison.lengths)
    for note in comparison.notes:
        console.print()
        console.print(styled((terminal(note), "")))


def _table(comparison: Comparison, part: slice, width: int) -> Table:
    """Return the table of some of the targets."""
    from rich.table import Table

    specs, lines = comparison.specs[part], list(_lines(comparison))
    names = _columns_of_names(max((name.cell_len for name, _ in lines), default=0), specs, width)
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column(styled((EMPTY, "")), overflow="fold", width=names)
    for spec in specs:
        table.add_column(styled((terminal(spec), "")), justify="right", overflow="fold")
    for name, cells in lines:
        table.add_row(name, *cells[part])
    return table


def _lines(comparison: Comparison) -> Iterator[tuple[Text, list[Text]]]:
    """Yield the name of each group and of each row, with a cell for each target."""
    for group, members in groupby(comparison.rows, lambda row: row.group):
        rows = list(members)
        unit = rows[0].unit if len({row.unit for row in rows}) == 1 else ""
        heading = Shown("{}, {}").format(group, unit) if unit else terminal(group)
        empty = [styled((EMPTY, ""))] * len(comparison.specs)
        yield styled((heading, ""), style="bold"), empty
        for row in rows:
            own = Shown(" ({})").format(row.unit) if row.unit and not unit else ""
            cells = [_value(value, is_best=at in row.best) for at, value in enumerate(row.values)]
            yield styled((Shown("  {}{}").format(row.name, own), "")), cells


def _columns_of_names(longest: int, specs: Sequence[str], width: int) -> int:
    """Return the columns of the longest name; at most what specs leave, or an equal share."""
    left = width - sum(len(spec) + GAP for spec in specs)
    share = (width - GAP * len(specs)) // (len(specs) + 1)
    return max(NAMES, min(longest, max(left, share)))


def _value(value: Value, *, is_best: bool) -> Text:
    return styled((terminal(format_value(value)), ""), style="bold green" if is_best else "")
