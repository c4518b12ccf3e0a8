"""A text as a table: a row for each code point, a column for each target."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tokharness.cli._drawing import console_for, table_with
from tokharness.cli._round_trip_note import encode_and_decode
from tokharness.cli._token_pieces import pieces_of
from tokharness.cli._token_starts import known_bytes, token_starts
from tokharness.escaping import Shown, drawn, styled, terminal
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.model import Target

__all__ = ["token_table"]

SEPARATOR = Shown(" | ")


def token_table(
    text: str,
    targets: Sequence[Target],
    reference_of: Callable[[Target], Target | None] = lambda _: None,
    *,
    width: int | None,
    color: bool,
) -> Shown:
    """Render code points, their UTF-8 bytes and, for each target, the tokens that begin in each.

    ``reference_of`` returns the reference that reads the file of a target.
    """
    from tokharness.unicode.properties import label

    stream = io.StringIO()
    console = console_for(stream, width=width, color=color)
    encodings = [_encode(text, target, reference_of) for target in targets]
    headings = (Shown("text"), Shown("code point"), Shown("bytes"))
    table = table_with((*headings, *(terminal(target.spec) for target in targets)))
    for at, character in enumerate(text):
        data = character.encode("utf-8", "surrogatepass")
        cells = list(map(terminal, (character, label(character), data.hex(" ").upper())))
        for _, tokens, _ in encodings:
            cells.append(Shown(" ").join([token for start, token in tokens if start == at]))
        table.add_row(*(styled((cell, "")) for cell in cells))
    console.print(table)
    for target, (lines, _, note) in zip(targets, encodings, strict=True):
        for line in (Shown("{}: {}").format(target.spec, note), *lines):
            console.print(styled((line, "")), soft_wrap=True)
    return drawn(stream.getvalue())


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
