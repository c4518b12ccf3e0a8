"""The differences of two vocabularies: for a terminal, and as rows of JSON and CSV.

A row has ``change`` (added, removed, split, moved, other kind, replaced); ``token``, its text (null
for a part of a character), and ``bytes`` (hex); ``ids`` and ``kind`` in the first vocabulary, and
``other_ids`` and ``other_kind`` in the second; and ``pieces``, the ids that the second target gives
for a token that it does not have. A row of a replaced id has the token of the second vocabulary as
``other_token`` and ``other_bytes``. A row of a merge, a score or a setting of a stage has the
change ``file``, and nothing but ``stage`` and ``what``. The JSON object also has ``specs``, ``ids``
(their number in each), ``equal``, ``counts``, ``edits`` (null if the files are not compared) and
``skips``.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from tokharness.engine.vocabulary_differences import CHANGES
from tokharness.escaping import Cell, Shown, json_text, shorten, spreadsheet, styled, terminal
from tokharness.formats._console import new_console, output_of
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.edits import Edit
    from tokharness.engine.vocabulary_differences import Difference
    from tokharness.model import TokenRow
    from tokharness.results.vocabulary_comparison import VocabularyComparison

# The differences of two vocabularies, for a terminal: the number of each kind, and examples.

NAME = "terminal"

LABEL = 12
MAX_EXAMPLES = 3
MAX_TEXT = 30
DIFFERENCES = "differences of tokens"
EMPTY = Shown("")


def render(comparison: VocabularyComparison, *, width: int | None, color: bool) -> Shown:
    """Render the numbers of differences, each with examples."""
    from rich.padding import Padding

    console = new_console(width, color=color)
    (first, second), (ids, other_ids) = comparison.specs, comparison.ids
    title = Shown("{} ({}) and {} ({})").format(
        first, pluralize(ids, "id"), second, pluralize(other_ids, "id")
    )
    console.print(styled((title, "bold")))
    for label, text in _lines(comparison):
        body = styled((text, ""))
        lines = body.wrap(console, max(console.width - LABEL, 20), overflow="fold")
        for number, line in enumerate(lines):
            prefix = styled(
                (Shown("{:<{}}").format(label if number == 0 else EMPTY, LABEL), "bold")
            )
            console.print(Padding(prefix + line, 0, expand=False), soft_wrap=True)
    same = comparison.is_equal
    verdict = Shown("equal") if same else Shown("different")
    total = Shown("all ids stand for the same tokens, and all stages of the files are the same")
    if comparison.edits is None:
        total = Shown("all ids stand for the same tokens; other stages are not compared")
    if not same:
        total = pluralize(len(comparison.differences), "difference of tokens", DIFFERENCES)
        if comparison.edits:
            of_file = pluralize(len(comparison.edits), "difference")
            total = Shown("{}, {} of merges, scores and stages").format(total, of_file)
    style = "bold green" if same else "bold red"
    console.print(styled((Shown("{}: ").format(verdict), style), (total, "")))
    return output_of(console)


def _lines(comparison: VocabularyComparison) -> Iterator[tuple[Shown, Shown]]:
    """Yield a label and a text for each kind of difference that occurs, and for each skip."""
    for change, meaning in CHANGES.items():
        found = [one for one in comparison.differences if one.change == change]
        if found:
            examples = Shown(", ").join(_example(one) for one in found[:MAX_EXAMPLES])
            text = Shown("{}: {:,}, such as {}").format(meaning, len(found), examples)
            yield terminal(change), text
    for edit in comparison.edits or ():
        yield Shown("file"), terminal(str(edit))
    for skip in comparison.skips:
        yield Shown("skip"), Shown("{}: {}").format(skip.what, skip.reason)


def _example(one: Difference) -> Shown:
    if one.change == "replaced":
        (before,), (after,) = one.first, one.second
        return Shown("{:,} ({}, then {})").format(before.id, _text(before), _text(after))
    row = (one.first or one.second)[0]
    if one.pieces:
        pieces = Shown(" ").join(map(_text, one.pieces))
        return Shown("{} ({:,}) as {}").format(_text(row), row.id, pieces)
    if one.change == "moved":
        ids = (
            Shown(" ").join(Shown("{:,}").format(row.id) for row in rows) for rows in _sides(one)
        )
        return Shown("{} ({} to {})").format(_text(row), *ids)
    if one.change == "other kind":
        kinds = (Shown(" and ").join(terminal(row.kind) for row in rows) for rows in _sides(one))
        return Shown("{} ({}, then {})").format(_text(row), *kinds)
    return Shown("{} ({:,})").format(_text(row), row.id)


def _sides(one: Difference) -> tuple[tuple[TokenRow, ...], tuple[TokenRow, ...]]:
    return one.first, one.second


def _text(row: TokenRow) -> Shown:
    return Shown('"{}"').format(shorten(EMPTY if row.content is None else row.content, MAX_TEXT))


MAX_CELL = 2_000

COLUMNS = (
    *("change", "token", "bytes", "ids", "kind", "other_ids", "other_kind", "pieces"),
    *("other_token", "other_bytes", "stage", "what"),
)


def as_json(comparison: VocabularyComparison, *, width: int | None, color: bool) -> Shown:
    """Render one object."""
    record = {
        "specs": list(comparison.specs),
        "ids": list(comparison.ids),
        "equal": comparison.is_equal,
        "counts": comparison.counts(),
        "differences": [_record(one) for one in comparison.differences],
        "edits": None if comparison.edits is None else list(map(_edit, comparison.edits)),
        "skips": [{"what": skip.what, "reason": skip.reason} for skip in comparison.skips],
    }
    return json_text(record)


def as_lines(comparison: VocabularyComparison, *, width: int | None, color: bool) -> Shown:
    """Render one object per line, for each difference."""
    edits = ({"change": "file", **_edit(one)} for one in comparison.edits or ())
    rows = (*map(_record, comparison.differences), *edits)
    return Shown("").join(map(json_text, rows))


def _edit(edit: Edit) -> dict[str, str]:
    return {"stage": edit.stage, "what": edit.what}


def as_csv(comparison: VocabularyComparison, *, width: int | None, color: bool) -> str:
    """Render a header and a row for each difference; no cell is a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(_cells(one) for one in comparison.differences)
    for edit in comparison.edits or ():
        cells = {"change": "file", **_edit(edit)}
        writer.writerow(spreadsheet(cells.get(name, ""), most=MAX_CELL) for name in COLUMNS)
    return stream.getvalue()


def _record(one: Difference) -> dict[str, Any]:
    shown, *_ = one.first or one.second
    other = one.second[0] if one.change == "replaced" else None
    return {
        "change": one.change,
        "token": _text_of(shown),
        "bytes": _hex_of(shown),
        "ids": [row.id for row in one.first],
        "kind": one.first[0].kind if one.first else None,
        "other_ids": [row.id for row in one.second],
        "other_kind": one.second[0].kind if one.second else None,
        "pieces": [row.id for row in one.pieces],
        "other_token": _text_of(other),
        "other_bytes": _hex_of(other),
    }


def _text_of(row: TokenRow | None) -> str | None:
    content = None if row is None else row.content
    return content if isinstance(content, str) else None


def _hex_of(row: TokenRow | None) -> str | None:
    return None if row is None or row.bytes is None else row.bytes.hex()


def _cells(one: Difference) -> list[Cell]:
    record = _record(one)
    shown, *_ = one.first or one.second
    record["token"] = shown.content  # the bytes of a part of a character, escaped
    if one.change == "replaced":
        record["other_token"] = one.second[0].content
    return [spreadsheet(_cell_text(record.get(name)), most=MAX_CELL) for name in COLUMNS]


def _cell_text(value: Any) -> str | bytes:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else value
