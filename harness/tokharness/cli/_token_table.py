"""A text as a table: a row for each code point, a column for each target."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from tokharness.errors import TargetDeath, TokharnessError
from tokharness.escaping import Shown, drawn, styled, terminal
from tokharness.formats._wording import pluralize
from tokharness.outcome import Raised
from tokharness.targets.subject import Subject, is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console
    from rich.table import Table

    from tokharness.model import Target

__all__ = ["console_for", "encode_and_decode", "has_box_drawing", "table_with", "token_table"]


def token_table(text: str, targets: Sequence[Target], *, width: int | None, color: bool) -> Shown:
    """Render code points, their UTF-8 bytes and, for each target, the ids that begin in each."""
    stream = io.StringIO()
    _print_table(console_for(stream, width=width, color=color), text, targets)
    return drawn(stream.getvalue())


def console_for(stream: io.StringIO, *, width: int | None, color: bool) -> Console:
    """Return a console that writes to a stream and changes no text."""
    from rich.console import Console

    return Console(
        file=stream,
        width=width or 120,
        force_terminal=color,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
    )


def has_box_drawing() -> bool:
    """Whether stdout can show lines of box drawing."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def table_with(headings: Iterable[Shown]) -> Table:
    """Return an empty table with these columns, in ASCII if stdout is not UTF-8."""
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD if has_box_drawing() else ASCII, pad_edge=False)
    for heading in headings:
        table.add_column(styled((heading, "")), overflow="fold")
    return table


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


def encode_and_decode(text: str, target: Target) -> tuple[list[int] | None, Shown]:
    """Return the ids of a text, None if the target raises, and a note on the round trip."""
    ids = target.encode(text)
    if isinstance(ids, Raised):
        return None, _error_note(ids.error)
    back = target.decode(ids)
    if isinstance(back, Raised):
        return None, _error_note(back.error)
    return ids, _note(text, back)


def _error_note(error: BaseException) -> Shown:
    """Say how encoding or decoding failed; an error of the program itself is raised."""
    if isinstance(error, TokharnessError):
        raise error
    if isinstance(error, TargetDeath):
        return Shown("crashes or hangs: {}").format(str(error))
    return Shown("raises {}: {}").format(type(error).__name__, str(error))


def _note(text: str, back: str) -> Shown:
    if back == text:
        return Shown("decodes to the same text")
    if not is_scalar(text) and back == scalar_text(text):
        return Shown("decodes to the text with {}").format(_surrogate_changes(text))
    return Shown('decodes to "{}"').format(back)


def _surrogate_changes(text: str) -> str:
    """Describe what replaces the surrogates of a text in its scalar form."""
    plain = scalar_text(text)
    joined = ["its surrogate pairs joined"] if len(plain) < len(text) else []
    lost = plain.count("\ufffd") > text.count("\ufffd")
    return " and ".join([*joined, *(["U+FFFD for each lone surrogate"] if lost else [])])


def _token_text(piece: bytes) -> Shown:
    try:
        return terminal(piece.decode())
    except UnicodeDecodeError:
        return terminal(piece)
