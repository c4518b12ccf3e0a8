"""A text after each stage of tokenizers, as a table: a row for each stage, a column for each."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tokharness.cli._drawing import console_for, table_with
from tokharness.cli._token_pieces import shown_bytes
from tokharness.diagnosis.ids.stages import stages_of
from tokharness.escaping import Shown, drawn, styled, terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Target

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
    table = table_with((Shown("after the"), *map(terminal, shown), Shown("")))
    marked = False
    for stage in max(shown.values(), key=len):
        texts = [stages.get(stage) for stages in shown.values()]
        differs = not marked and None not in texts and any(one != texts[0] for one in texts)
        marked = marked or differs
        cells = [terminal(stage), *map(_cell, texts), DIFFERS if differs else Shown("")]
        table.add_row(*(styled((cell, "")) for cell in cells))
    stream = io.StringIO()
    console_for(stream, width=width, color=color).print(table)
    return drawn(stream.getvalue())


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
