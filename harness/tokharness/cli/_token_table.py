"""A text as a table: a row for each code point, a column for each target."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from tokharness.errors import TargetDeath, TokharnessError
from tokharness.escaping import terminal
from tokharness.targets.subject import Subject, is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tokharness.model import Target

__all__ = ["token_table"]


def token_table(text: str, targets: Sequence[Target], *, width: int | None, color: bool) -> str:
    """Render code points, their UTF-8 bytes and, for each target, the ids that begin in each."""
    from rich.console import Console

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width or 120,
        force_terminal=color,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
    )
    _print_table(console, text, targets)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def _print_table(console: Console, text: str, targets: Sequence[Target]) -> None:
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from tokharness.unicode.properties import label

    encodings = [_encode(text, target) for target in targets]
    has_box_drawing = (sys.stdout.encoding or "").lower().startswith("utf")
    table = Table(box=SIMPLE_HEAD if has_box_drawing else ASCII, pad_edge=False)
    for heading in ("text", "code point", "bytes", *(terminal(t.spec) for t in targets)):
        table.add_column(Text(heading), overflow="fold")
    at = 0
    for character in text:
        data = character.encode("utf-8", "surrogatepass")
        cells = [terminal(character), label(character), data.hex(" ").upper()]
        for _, tokens, _ in encodings:
            cells.append(" ".join(t for start, t in tokens if at <= start < at + len(data)))
        table.add_row(*map(Text, cells))
        at += len(data)
    console.print(table)
    for target, (ids, _, note) in zip(targets, encodings, strict=True):
        console.print(Text(f"{terminal(target.spec)}: {note}"), soft_wrap=True)
        if ids is not None:
            console.print(
                Text(f"  {len(ids)} token{'' if len(ids) == 1 else 's'}: {ids}"), soft_wrap=True
            )


def _encode(text: str, target: Target) -> tuple[list[int] | None, list[tuple[int, str]], str]:
    """Return the ids, the offset and the label of each token, and a note on the round trip."""
    try:
        ids = list(target.encode(text))
        back = target.decode(ids)
    except (KeyboardInterrupt, TokharnessError):
        raise
    except TargetDeath as death:
        return None, [], f"crashes or hangs: {terminal(str(death))}"
    except BaseException as error:
        return None, [], f"raises {type(error).__name__}: {terminal(str(error))}"
    note = "decodes to the same text" if back == text else f'decodes to "{terminal(back)}"'
    if back != text and not is_scalar(text) and back == scalar_text(text):
        note = f"decodes to the text with {_surrogate_changes(text)}"
    if not is_scalar(text):
        return ids, [], note
    try:
        data = Subject(target).token_bytes(ids)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ids, [], note
    if b"".join(data) != text.encode():
        return ids, [], f"{note}; the tokens do not spell the bytes of the text"
    tokens, at = [], 0
    for number, piece in zip(ids, data, strict=True):
        tokens.append((at, f"{number} [{_token_text(piece)}]"))
        at += len(piece)
    return ids, tokens, note


def _surrogate_changes(text: str) -> str:
    """Describe what replaces the surrogates of a text in its scalar form."""
    plain = scalar_text(text)
    joined = ["its surrogate pairs joined"] if len(plain) < len(text) else []
    lost = plain.count("\ufffd") > text.count("\ufffd")
    return " and ".join([*joined, *(["U+FFFD for each lone surrogate"] if lost else [])])


def _token_text(piece: bytes) -> str:
    try:
        return terminal(piece.decode())
    except UnicodeDecodeError:
        return terminal(piece)
