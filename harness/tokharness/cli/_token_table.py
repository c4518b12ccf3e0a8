"""A text as a table: a row for each code point, a column for each target."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tokharness.cli._drawing import console_for, table_with
from tokharness.cli._round_trip_note import encode_and_decode
from tokharness.escaping import Shown, drawn, styled, terminal
from tokharness.formats._wording import pluralize
from tokharness.targets.subject import Subject, is_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tokharness.model import Target

__all__ = ["token_table"]


def token_table(text: str, targets: Sequence[Target], *, width: int | None, color: bool) -> Shown:
    """Render code points, their UTF-8 bytes and, for each target, the ids that begin in each."""
    stream = io.StringIO()
    _print_table(console_for(stream, width=width, color=color), text, targets)
    return drawn(stream.getvalue())


def _print_table(console: Console, text: str, targets: Sequence[Target]) -> None:
    from tokharness.unicode.properties import label

    encodings = [_encode(text, target) for target in targets]
    headings = (Shown("text"), Shown("code point"), Shown("bytes"))
    table = table_with((*headings, *(terminal(target.spec) for target in targets)))
    at = 0
    for character in text:
        data = character.encode("utf-8", "surrogatepass")
        cells = list(map(terminal, (character, label(character), data.hex(" ").upper())))
        for _, tokens, _ in encodings:
            of_character = [t for start, t in tokens if at <= start < at + len(data)]
            cells.append(Shown(" ").join(of_character))
        table.add_row(*(styled((cell, "")) for cell in cells))
        at += len(data)
    console.print(table)
    for target, (ids, _, note) in zip(targets, encodings, strict=True):
        line = Shown("{}: {}").format(target.spec, note)
        console.print(styled((line, "")), soft_wrap=True)
        if ids is not None:
            count = pluralize(len(ids), "token")
            line = Shown("  {}: {}").format(count, str(ids))
            console.print(styled((line, "")), soft_wrap=True)


def _encode(text: str, target: Target) -> tuple[list[int] | None, list[tuple[int, Shown]], Shown]:
    """Return the ids, the offset and the label of each token, and a note on the round trip."""
    ids, note = encode_and_decode(text, target)
    if ids is None:
        return None, [], note
    data = Subject(target).token_bytes(ids) if is_scalar(text) else None
    if data is None:
        return ids, [], note
    if b"".join(data) != text.encode():
        return ids, [], Shown("{}; the tokens do not spell the bytes of the text").format(note)
    tokens, at = [], 0
    for number, piece in zip(ids, data, strict=True):
        tokens.append((at, Shown("{} [{}]").format(number, _token_text(piece))))
        at += len(piece)
    return ids, tokens, note


def _token_text(piece: bytes) -> Shown:
    try:
        return terminal(piece.decode())
    except UnicodeDecodeError:
        return terminal(piece)
