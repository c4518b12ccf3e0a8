"""Edits of the added tokens of a file: their ids, texts and flags."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.edits.model import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Description

ADDED_TOKENS = "added tokens"


def added_token_edits(old: Description, new: Description) -> Iterator[Edit]:
    """Yield an edit for each added token that is gone, is new, or has another id or flag.

    If both files give an added token the id that their vocabulary has for its text, a changed id is
    an edit of the vocabulary.
    """
    before, now = (
        {row["text"]: row for row in one.stages.get(ADDED_TOKENS) or ()} for one in (old, new)
    )
    ids = [{entry.token: entry.id for entry in one.tokens} for one in (old, new)]
    for text in sorted(before.keys() - now.keys()):
        yield _edit(f"{_quoted(text)} (id {before[text]['id']}) is gone", text, None)
    for text in sorted(now.keys() - before.keys()):
        row = now[text]
        flags = [name.replace("_", " ") for name, value in sorted(row.items()) if value is True]
        words = ", ".join(flags if row.get("special") else ["not special", *flags])
        yield _edit(f"{_quoted(text)} added as {row['id']}, {words}", text, row)
    for text in sorted(before.keys() & now.keys()):
        was, row = before[text], now[text]
        parts = [
            f"{name.replace('_', ' ')} is {_shown(row.get(name))}, was {_shown(was.get(name))}"
            for name in sorted(was.keys() | row.keys())
            if was.get(name) != row.get(name)
            and not (name == "id" and [was["id"], row["id"]] == [one.get(text) for one in ids])
        ]
        if parts:
            yield _edit(f"{_quoted(text)}: {'; '.join(parts)}", text, row)
    are_by_id = all(_are_by_id(list(one.values())) for one in (before, now))
    if not before.keys() ^ now.keys() and list(before) != list(now) and not are_by_id:
        rows = list(now.values())
        apply = partial(_with_rows, rows=rows)
        yield Edit(ADDED_TOKENS, "their order has changed", apply, content=repr(list(now)))


def _are_by_id(rows: Sequence[Mapping[str, Any]]) -> bool:
    ids = [row["id"] for row in rows]
    return ids == sorted(ids)


def _quoted(text: str) -> str:
    """Return a token in quotes if its bounds would not show otherwise."""
    return text if text and not any(char.isspace() or char == ":" for char in text) else repr(text)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


def _edit(what: str, text: str, row: Mapping[str, Any] | None) -> Edit:
    content = repr(sorted((row or {}).items()))
    return Edit(
        ADDED_TOKENS, what, partial(_with_row, text=text, row=row), (text,), content=content
    )


def _with_row(current: Description, text: str, row: Mapping[str, Any] | None) -> Description:
    rows = list(current.stages.get(ADDED_TOKENS) or ())
    place = next((at for at, one in enumerate(rows) if one["text"] == text), None)
    if row is None:
        rows = [one for one in rows if one["text"] != text]
    elif place is None:
        rows = sorted([*rows, row], key=lambda one: (one["id"], one["text"]))
    else:
        rows[place] = row
    return _with_rows(current, rows)


def _with_rows(current: Description, rows: Sequence[Mapping[str, Any]]) -> Description:
    return replace(current, stages={**current.stages, ADDED_TOKENS: list(rows)})
