"""A text as a table: a row for each code point, a column for each target."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tokharness.cli._drawing import console_for, is_narrow, table_with
from tokharness.cli._round_trip_note import encode_and_decode
from tokharness.cli._token_pieces import pieces_of
from tokharness.cli._token_starts import known_bytes, token_starts
from tokharness.escaping import Shown, drawn, styled, terminal
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from tokharness.model import Target

__all__ = ["token_table"]

SEPARATOR = Shown(" | ")
SMALLEST_WITH_BYTES = 56
"""Columns of the terminal; with fewer there is no column of bytes."""


def token_table(
    text: str,
    targets: Sequence[Target],
    reference_of: Callable[[Target], Target | None] = lambda _: None,
    *,
    width: int | None,
    color: bool,
) -> Shown:
    """Render code points, their UTF-8 bytes and, for each target, the tokens that begin in each.

    ``reference_of`` returns the reference that reads the file of a target. A narrow terminal has
    numbers for the targets, code points without names, and perhaps no bytes.
    """
    stream = io.StringIO()
    console = console_for(stream, width=width, color=color)
    narrow, has_bytes = is_narrow(console), console.width >= SMALLEST_WITH_BYTES
    encodings = [_encode(text, target, reference_of) for target in targets]
    names = [Shown("{}").format(at) for at, _ in enumerate(targets, 1)]
    specs = [terminal(target.spec) for target in targets]
    table = _empty_table(names if narrow else specs, narrow=narrow, has_bytes=has_bytes)
    for at, character in enumerate(text):
        cells = _cells_of_character(character, narrow=narrow, has_bytes=has_bytes)
        for _, tokens, _ in encodings:
            cells.append(Shown(" ").join([token for start, token in tokens if start == at]))
        table.add_row(*(styled((cell, "")) for cell in cells))
    console.print(table)
    for name, spec, (lines, _, note) in zip(names, specs, encodings, strict=True):
        head = Shown("{} = {}: {}").format(name, spec, note)
        for line in (head if narrow else Shown("{}: {}").format(spec, note), *lines):
            console.print(styled((line, "")), soft_wrap=True)
    return drawn(stream.getvalue())


def _empty_table(names: Sequence[Shown], *, narrow: bool, has_bytes: bool) -> Table:
    code_point = Shown("code\npoint") if narrow else Shown("code point")
    size = [Shown("bytes")] if has_bytes else []
    return table_with((Shown("text"), code_point, *size, *names), {1} if narrow else ())


def _cells_of_character(character: str, *, narrow: bool, has_bytes: bool) -> list[Shown]:
    from tokharness.unicode.properties import label

    name = label(character)
    cells = [terminal(character), terminal(name.partition(" ")[0] if narrow else name)]
    data = character.encode("utf-8", "surrogatepass").hex(" ").upper()
    return [*cells, terminal(data)] if has_bytes else cells


def _encode(
    text: str, target: Target, reference_of: Callable[[Target], Target | None]
) -> tuple[list[Shown], list[tuple[int, Shown]], Shown]:
    """Return lines about the ids, the place and the label of each token, and a note on the text.

    Tokens whose places are not known are on a line.
    """
    ids, note = encode_and_decode(text, target)
    if ids is None:
        return [], [], note
    data = known_bytes(text, ids, target)
    if data is not None and b"".join(data) != text.encode():
        note = Shown("{}; the tokens do not spell the bytes of the text").format(note)
    lines = [Shown("  {}: {}").format(pluralize(len(ids), "token"), str(ids))]
    known = target.can("token_text") or target.can("decode_single_token_bytes")
    texts = [piece.shown for piece in pieces_of(ids, target)] if known else []
    starts = token_starts(text, ids, target, reference_of)
    if starts is None:
        if texts:
            lines.append(Shown("  texts of the tokens: {}").format(SEPARATOR.join(texts)))
        return lines, [], note
    labels = [Shown("{}").format(str(number)) for number in ids]
    if texts:
        pairs = zip(labels, texts, strict=True)
        labels = [Shown("{} [{}]").format(number, shown) for number, shown in pairs]
    return lines, list(zip(starts, labels, strict=True)), note
