"""Edits of the added tokens of a file: their ids, texts and flags."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.edits.model import Edit
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.model import Description

    Numbering = Callable[[Description], Description]

ADDED_TOKENS = "added tokens"


def forms_of(text: str) -> list[str]:
    """Return the text of an added token, and texts that a normalizer may make equal to it."""
    decomposed, composed = normalize("NFD", text), normalize("NFKC", text)
    return list(dict.fromkeys((text, text.lower(), text.upper(), decomposed, composed)))


# A library may give an added token another id than the file says. Hugging Face's library counts on
# from the number of tokens of the model, or from the largest id so far.


def as_in_file(description: Description) -> Description:
    """Leave the ids that the file has."""
    return description


def counted_in_order(description: Description) -> Description:
    """Number the added tokens in their order in the file, as tokenizers 0.20 to 0.23 do."""
    return _counted(description, _rows(description))


def counted_by_id(description: Description) -> Description:
    """Number the added tokens in the order of their ids in the file, as tokenizers 1.0 does."""
    return _counted(description, sorted(_rows(description), key=lambda row: row["id"]))


def _counted(description: Description, rows: Sequence[Mapping[str, Any]]) -> Description:
    of_model = {entry.token: entry.id for entry in description.tokens}
    ids: dict[str, int] = {}
    last = -1
    for row in rows:
        ids[row["text"]] = of_model.get(row["text"], max(last + 1, len(of_model)))
        last = max(last, ids[row["text"]])
    return _with_rows(description, [{**row, "id": ids[row["text"]]} for row in _rows(description)])


def numbering_of(
    old: Description, new: Description, ids: Mapping[str, int], earlier: Mapping[str, Any]
) -> Numbering:
    """Return the way in which the library of a target numbers the added tokens of its file.

    ``ids`` has the ids of the target by text, and ``earlier`` those of texts in the old file. If
    several ways give the target's ids, the earlier ids decide; if no way does, the file's ids stay.
    """
    fitting = [
        number
        for number in (as_in_file, counted_in_order, counted_by_id)
        if all(ids.get(row["text"], row["id"]) == row["id"] for row in _rows(number(new)))
    ]

    def matches(number: Numbering) -> int:
        return sum(earlier.get(row["text"]) == (row["id"],) for row in _rows(number(old)))

    return max(fitting, key=matches, default=as_in_file)


def own_id(edit: Edit, description: Description, numbering: Numbering) -> int | None:
    """Return the id of an added token in the library if the file has another id, else None."""
    if edit.stage != ADDED_TOKENS:
        return None
    rows = zip(_rows(numbering(description)), _rows(description), strict=True)
    own = {row["text"]: row["id"] for row, in_file in rows if row != in_file}
    return own.get(edit.about[-1]) if edit.about else None


def _rows(description: Description) -> Sequence[Mapping[str, Any]]:
    return description.stages.get(ADDED_TOKENS) or ()


def added_token_edits(old: Description, new: Description) -> Iterator[Edit]:
    """Yield an edit for each added token that is gone, is new, or has another id or flag.

    If both files give an added token the id that their vocabulary has for its text, a changed id is
    an edit of the vocabulary.
    """
    before, now = ({row["text"]: row for row in _rows(one)} for one in (old, new))
    ids = [{entry.token: entry.id for entry in one.tokens} for one in (old, new)]
    edit = partial(_edit, order=list(now))
    gone, added = sorted(before.keys() - now.keys()), sorted(now.keys() - before.keys())
    by_id = {before[text]["id"]: text for text in gone}
    renamed = {text: by_id[now[text]["id"]] for text in added if now[text]["id"] in by_id}
    for text in (text for text in gone if text not in renamed.values()):
        yield edit(f"{_quoted(text)} (id {before[text]['id']}) is gone", text, None)
    for text in added:
        row, was = now[text], renamed.get(text)
        if was is not None:
            what = f"id {row['id']} is {_quoted(text)}, was {_quoted(was)}"
            others = _differences({**before[was], "text": text}, row)
            yield edit("; ".join([what, *others]), text, row, was=was)
            continue
        flags = [name.replace("_", " ") for name, value in sorted(row.items()) if value is True]
        words = ", ".join(flags if row.get("special") else ["not special", *flags])
        yield edit(f"{_quoted(text)} added as {row['id']}, {words}", text, row)
    for text in sorted(before.keys() & now.keys()):
        was, row = before[text], now[text]
        is_of_vocabulary = [was["id"], row["id"]] == [one.get(text) for one in ids]
        parts = _differences({**was, "id": row["id"]} if is_of_vocabulary else was, row)
        if parts:
            yield edit(f"{_quoted(text)}: {'; '.join(parts)}", text, row)
    are_by_id = all(_are_by_id(list(one.values())) for one in (before, now))
    if not before.keys() ^ now.keys() and list(before) != list(now) and not are_by_id:
        rows = list(now.values())
        apply = partial(_with_rows, rows=rows)
        yield Edit(ADDED_TOKENS, "their order has changed", apply, content=repr(list(now)))


def _differences(was: Mapping[str, Any], row: Mapping[str, Any]) -> list[str]:
    return [
        f"{name.replace('_', ' ')} is {_shown(row.get(name))}, was {_shown(was.get(name))}"
        for name in sorted(was.keys() | row.keys())
        if was.get(name) != row.get(name)
    ]


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


def _edit(
    what: str,
    text: str,
    row: Mapping[str, Any] | None,
    order: Sequence[str] = (),
    was: str | None = None,
) -> Edit:
    """Return the edit of the row of a token, which ``was`` another token."""
    content = repr(sorted((row or {}).items()))
    about = (text,) if was is None else (was, text)
    apply = partial(_with_row, text=text, row=row, order=order, was=was)
    return Edit(ADDED_TOKENS, what, apply, about, content=content)


def _with_row(
    current: Description,
    text: str,
    row: Mapping[str, Any] | None,
    order: Sequence[str],
    was: str | None,
) -> Description:
    """Replace the row of a token; a new row comes before the tokens that ``order`` has after it."""
    rows = [one for one in _rows(current) if one["text"] != was]
    place = next((at for at, one in enumerate(rows) if one["text"] == text), None)
    if row is None:
        rows = [one for one in rows if one["text"] != text]
    elif place is None:
        later = {*order[order.index(text) + 1 :]}
        first = next((at for at, one in enumerate(rows) if one["text"] in later), len(rows))
        rows.insert(first, row)
    else:
        rows[place] = row
    return _with_rows(current, rows)


def _with_rows(current: Description, rows: Sequence[Mapping[str, Any]]) -> Description:
    return replace(current, stages={**current.stages, ADDED_TOKENS: list(rows)})
