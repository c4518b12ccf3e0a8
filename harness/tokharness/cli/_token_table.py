"""Tables of ``tokharness show``: a row for each code point, or for each stage of tokenizers."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from tokharness.cli._token_rows import (
    console_for,
    encode_and_decode,
    is_narrow,
    pieces_of,
    shown_bytes,
    table_with,
)
from tokharness.diagnosis.ids.stages import stages_of
from tokharness.escaping import Shown, drawn, styled, terminal
from tokharness.formats._wording import pluralize
from tokharness.outcome import Raised
from tokharness.targets.subject import Subject, is_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.table import Table

    from tokharness.model import Target

    Rows = Iterable[tuple[Shown, list[Shown], Shown]]

# The character in which each token of a text begins.

MARKS = re.compile(r"^##|@@$|</w>$")
"""Marks at the start or the end of a token that show where a word ends."""
WORD_START = "\u2581"


def token_starts(
    text: str,
    ids: Sequence[Any],
    target: Target,
    reference_of: Callable[[Target], Target | None],
) -> list[int] | None:
    """Return the index of the character in which each token begins; None if it is not known.

    The bytes of the tokens show it, if they spell the text; otherwise the offsets of the target, or
    of the reference that reads its file and gives the same ids; otherwise the texts of the tokens.
    """
    if not text or not ids:
        return None
    return (
        _by_bytes(text, ids, target)
        or _by_offsets(text, ids, target)
        or _by_offsets(text, ids, reference_of(target))
        or _by_texts(text, ids, target)
    )


def known_bytes(text: str, ids: Sequence[Any], target: Target) -> list[bytes] | None:
    """Return the bytes of each token; None if a token has no bytes, or the text has a surrogate."""
    return Subject(target).token_bytes(ids) if is_scalar(text) else None


def _by_bytes(text: str, ids: Sequence[Any], target: Target) -> list[int] | None:
    data = known_bytes(text, ids, target)
    if data is None or b"".join(data) != text.encode():
        return None
    characters = [at for at, character in enumerate(text) for _ in character.encode()]
    starts, at = [], 0
    for piece in data:
        starts.append(characters[min(at, len(characters) - 1)])
        at += len(piece)
    return starts


def _by_offsets(text: str, ids: Sequence[Any], owner: Target | None) -> list[int] | None:
    if owner is None or not owner.can("encode_with_offsets"):
        return None
    result = owner.call("encode_with_offsets", text)
    if isinstance(result, Raised):
        return None
    own_ids, spans = result
    starts = [start for start, _ in spans]
    if list(own_ids) != list(ids) or len(starts) != len(ids):
        return None
    last = len(text) - 1  # a token that is added at the end has an empty span after the text
    return [min(start, last) for start in starts] if min(starts, default=0) >= 0 <= last else None


def _by_texts(text: str, ids: Sequence[Any], target: Target) -> list[int] | None:
    """Return the places of the tokens' texts, if they spell the text except for case and spaces."""
    if not target.can("token_text"):
        return None
    starts, at = [], 0
    for written in target.call_each("token_text", ids):
        if not isinstance(written, str):
            return None
        token = MARKS.sub("", written.replace(WORD_START, " ")).strip()
        begin = _after_spaces(text, at) if token else at
        at = begin + len(token)
        if text[begin:at].lower() != token.lower():
            return None
        starts.append(min(begin, len(text) - 1))
    return None if text[at:].strip() else starts


def _after_spaces(text: str, at: int) -> int:
    """Return the index of the first character from ``at`` on that is not white space."""
    return len(text) - len(text[at:].lstrip())


# A text after each stage of tokenizers, as a table: a row for each stage, a column for each.

STAGE_SEPARATOR, EMPTY, DIFFERS = Shown(" | "), Shown("(nothing)"), Shown("differs")
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
    """Yield each stage, its text in each target, and a mark for the first stage that differs."""
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
    """Make a table with a row for each target, by its number."""
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
    return STAGE_SEPARATOR.join(list(map(_shown, texts))) if any(texts) else EMPTY


def _shown(text: str) -> Shown:
    """Show a text in which a surrogate may stand for a byte that is not ASCII (PEP 383)."""
    try:
        return shown_bytes(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return terminal(text)


SEPARATOR = Shown(" | ")
SMALLEST_WITH_BYTES = 56
"""Least width of a terminal for a table with a column of bytes."""


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

    Tokens whose places are unknown share a line.
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
