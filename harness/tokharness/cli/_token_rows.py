"""A text by several tokenizers: for each a row of its tokens, with visible boundaries."""

from __future__ import annotations

import io
from collections import Counter
from typing import TYPE_CHECKING

from tokharness.cli._drawing import console_for, has_box_drawing
from tokharness.cli._related_targets import are_meant_to_be_equal
from tokharness.cli._round_trip_note import SAME, encode_and_decode
from tokharness.cli._token_pieces import BYTE, UNKNOWN, pieces_of
from tokharness.escaping import Shown, drawn, shorten, styled, terminal
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.text import Text

    from tokharness.cli._token_pieces import Piece
    from tokharness.model import Target

__all__ = ["are_drawn_as_rows", "token_rows"]

INDENT, SMALLEST = 12, 20
MAX_TEXT = 200
"""Columns of the text in the heading."""
STYLES = {UNKNOWN: "bold red", BYTE: "yellow"}
ALTERNATING = ("", "cyan")


def are_drawn_as_rows(targets: Sequence[Target]) -> bool:
    """Whether targets are drawn as rows: several ones, or two that are not meant to be equal.

    A table with a column for each shows where two that are meant to be equal differ.
    """
    return len(targets) > 2 or (len(targets) == 2 and not are_meant_to_be_equal(*targets))


def token_rows(
    text: str,
    targets: Sequence[Target],
    failing: Mapping[str, str],
    *,
    width: int | None,
    color: bool,
) -> Shown:
    """Render the tokens of each target, and what becomes of the text.

    ``failing`` has the names of the checks that the text fails, by spec; "" for none.
    """
    stream = io.StringIO()
    console = console_for(stream, width=width, color=color)
    room = max(console.width - INDENT, SMALLEST)
    size = pluralize(len(text.encode("utf-8", "surrogatepass")), "byte")
    head = Shown('"{}": {}, {}').format(
        shorten(text, MAX_TEXT), pluralize(len(text), "character"), size
    )
    console.print(styled((head, "bold")), overflow="fold")
    for target in targets:
        console.print()
        for line in _target_lines(text, target, failing.get(target.spec, ""), room):
            console.print(line, overflow="fold")
    return drawn(stream.getvalue())


def _target_lines(text: str, target: Target, failing: str, room: int) -> Iterator[Text]:
    ids, note = encode_and_decode(text, target)
    count = "no tokens" if ids is None else pluralize(len(ids), "token")
    words = [terminal(target.algorithm)] if target.algorithm else []
    if target.n_vocab is not None:
        words.append(Shown("vocabulary {:,}").format(target.n_vocab))
    words.append(terminal(target.spec))
    label = Shown("{:>10}  ").format(count)
    for number, line in enumerate(_wrapped(Shown(", ").join(words), room)):
        yield _indented(line) if number else styled((label, "bold")) + line
    pieces = pieces_of(ids or [], target)
    yield from map(_indented, _strip(pieces, room))
    kinds = Counter(piece.kind for piece in pieces if piece.kind)
    notes = []
    if kinds[UNKNOWN]:
        notes.append(terminal(pluralize(kinds[UNKNOWN], UNKNOWN)))
    if kinds[BYTE]:
        names = "token with a part of a character", "tokens with a part of a character"
        notes.append(terminal(pluralize(kinds[BYTE], *names)))
    if note != SAME:
        notes.append(note)
    if failing:
        notes.append(Shown("fails {}").format(failing))
    if notes:
        yield from map(_indented, _wrapped(Shown("; ").join(notes), room))


def _strip(pieces: Sequence[Piece], room: int) -> Iterator[Text]:
    """Yield lines of tokens, a bar around each; a token longer than a line is folded."""
    bar = styled((Shown("\u2502") if has_box_drawing() else Shown("|"), "dim"))
    line = bar.copy()
    for number, piece in enumerate(pieces):
        style = STYLES.get(piece.kind) or ALTERNATING[number % len(ALTERNATING)]
        token = styled((piece.shown, style)) + bar
        if line.cell_len > 1 and line.cell_len + token.cell_len > room:
            yield line
            line = bar.copy()
        line += token
        while line.cell_len > room:
            folded = _fold(line, room)
            yield folded[0]
            line = folded[1]
    if line.cell_len > 1:
        yield line


def _fold(line: Text, room: int) -> tuple[Text, Text]:
    """Cut a line into one that fits, and the rest."""
    at = next(at for at in range(len(line), 0, -1) if line[:at].cell_len <= room or at == 1)
    head, rest = line.divide([at])
    return head, rest


def _wrapped(words: Shown, room: int) -> Sequence[Text]:
    text = styled((words, ""))
    return list(
        text.wrap(console_for(io.StringIO(), width=room, color=False), room, overflow="fold")
    )


def _indented(line: Text) -> Text:
    return styled((Shown("{:<12}").format(""), "")) + line
