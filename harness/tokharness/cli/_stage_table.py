"""A text after each stage of tokenizers, as a table: a row for each stage, a column for each."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tokharness.cli._drawing import console_for, is_narrow, table_with
from tokharness.cli._token_pieces import shown_bytes
from tokharness.diagnosis.ids.stages import stages_of
from tokharness.escaping import Shown, drawn, styled, terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.table import Table

    from tokharness.model import Target

    Rows = Iterable[tuple[Shown, list[Shown], Shown]]

__all__ = ["stage_table"]

SEPARATOR, EMPTY, DIFFERS = Shown(" | "), Shown("(nothing)"), Shown("differs")
NOT_SHOWN = Shown("(not shown)")


def stage_table(text: str, targets: Sequence[Target], *, width: int | None, color: bool) -> Shown:
    """Render the text after each stage of the targets that show their stages; "" if none does.

    The first stage whose text differs is marked.
    """
    columns = {target.spec: stages_of(text, target) for target in targets}
    shown = {spec: stages for spec, stages in columns.items() if stages}
    if not shown:
        return Shown("")
    stream = io.StringIO()
    console = console_for(stream, width=width, color=color)
    draw = _tall_table if is_narrow(console) else _wide_table
    numbers = [number for number, target in enumerate(targets, 1) if target.spec in shown]
    console.print(draw(_rows(list(shown.values())), list(shown), numbers))
    return drawn(stream.getvalue())


def _rows(columns: Sequence[dict[str, list[str]]]) -> Iterator[tuple[Shown, list[Shown], Shown]]:
    """Yield each stage, its text of each target, and a mark of the first whose text differs."""
    marked = False
    for stage in max(columns, key=len):
        texts = [stages.get(stage) for stages in columns]
        differs = not marked and None not in texts and any(one != texts[0] for one in texts)
        marked = marked or differs
        yield terminal(stage), list(map(_cell, texts)), DIFFERS if differs else Shown("")


def _wide_table(rows: Rows, specs: Sequence[str], _: Sequence[int]) -> Table:
    table = table_with((Shown("after the"), *map(terminal, specs), Shown("")))
    for stage, cells, mark in rows:
        table.add_row(*(styled((cell, "")) for cell in (stage, *cells, mark)))
    return table


def _tall_table(rows: Rows, _: Sequence[str], numbers: Sequence[int]) -> Table:
    """Make a table with a row for each target below the other, by its number."""
    table = table_with((Shown("after the"), Shown(""), Shown("")), {0, 1})
    for stage, cells, mark in rows:
        names = [stage, mark, *[Shown("")] * len(cells)]
        for name, number, cell in zip(names, numbers, cells, strict=False):
            row = (name, Shown("{}").format(number), cell)
            table.add_row(*(styled((part, "")) for part in row))
    return table


def _cell(texts: Sequence[str] | None) -> Shown:
    if texts is None:
        return NOT_SHOWN
    return SEPARATOR.join(list(map(_shown, texts))) if any(texts) else EMPTY


def _shown(text: str) -> Shown:
    """Show a text in which a surrogate may stand for a byte that is not ASCII (PEP 383)."""
    try:
        return shown_bytes(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return terminal(text)
