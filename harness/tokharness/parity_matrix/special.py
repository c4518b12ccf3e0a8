"""Why two forms read special tokens otherwise, found with texts of one token each."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tokharness.engine.requests import ColumnsRequest, EncodeRequest
from tokharness.engine.worker.operations.columns import NOT_ASKED, SPECIAL
from tokharness.parity_matrix.texts import IDS, WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.parity_matrix.opened import Opened

MAX_TOKENS = 2000
"""Most special tokens that are tried."""

MAX_NAMED, MAX_PARTS = 5, 50
OTHER_IDS_OF_SPECIAL = "special tokens have different ids"

Sides: TypeAlias = "tuple[Opened, Opened]"
Only: TypeAlias = tuple[frozenset[int], frozenset[int]]
"""Ids whose token only the first, and only the second of two forms has."""


class Probe(NamedTuple):
    """A text around a special token, and what it means if only one form reads it so."""

    template: str
    name: str
    message: str


PROBES = (
    Probe("{}", "special tokens are read differently", "the ids of the token alone differ"),
    Probe(" {}", "white space before special tokens", "with a space before it, the ids differ"),
    Probe("{} ", "white space after special tokens", "with a space after it, the ids differ"),
    Probe("a{}", "letters before special tokens", "with a letter before it, the ids differ"),
    Probe("{}a", "letters after special tokens", "with a letter after it, the ids differ"),
)
"""What the flags of an added token decide, the plainest first: lstrip, rstrip, single_word."""


class Found(NamedTuple):
    """A cause, a sentence, and the texts that have it."""

    name: str
    message: str
    texts: list[str]


def explain_special(texts: Iterable[str], one: Opened, other: Opened) -> list[Found]:
    """Return a cause for each way of reading, for texts with a token that is read in it."""
    texts = list(texts)
    tokens = _tokens_in(texts, one, other)
    probes = [probe.template.format(token) for probe in PROBES for token in tokens]
    apart = _apart(probes, one, other)
    found = []
    left = texts
    moved = _moved(one, other)
    for probe in PROBES:
        guilty = [token for token in tokens if probe.template.format(token) in apart]
        members = [text for text in left if any(token in text for token in guilty)]
        if members:
            if probe is PROBES[0] and all(token in moved for token in guilty):
                shown = ", ".join(moved[token] for token in guilty[:MAX_NAMED])
                found.append(Found(OTHER_IDS_OF_SPECIAL, shown, members))
                left = [text for text in left if text not in set(members)]
                continue
            more = f" and {len(guilty) - MAX_NAMED} more" if len(guilty) > MAX_NAMED else ""
            named = ", ".join(map(repr, guilty[:MAX_NAMED])) + more
            found.append(Found(probe.name, f"{named}: {probe.message}", members))
            left = [text for text in left if text not in set(members)]
    return found


def with_ids(texts: Sequence[str], sides: Sides, only: Only) -> list[str]:
    """Return the texts for which one form has an id that the other cannot have."""
    rows = [_ids_of(texts, form) for form in sides]
    return [
        text
        for text, first, second in zip(texts, *rows, strict=False)
        if (first - second) & only[0] or (second - first) & only[1]
    ]


def with_parts(form: Opened, ids: frozenset[int]) -> frozenset[int]:
    """Return the tokens that contain a token of a few ids, as merges do."""
    parts = [form.rows[number].content for number in sorted(ids)[:MAX_PARTS]]
    return frozenset(
        row.id
        for row in form.rows
        for part in parts
        if part and isinstance(row.content, type(part)) and part in row.content  # type: ignore[operator]
    )


def _ids_of(texts: Sequence[str], form: Opened) -> list[set[int]]:
    request = EncodeRequest(texts, form.crashers, compared=True)
    response = (form.call(request) if texts else None) or {"encodings": []}
    return [set(record.get("ids") or ()) for record in response["encodings"]]


def with_tokens(texts: Sequence[str], sides: Sides, only: Only) -> list[str]:
    """Return the texts with a declared token that only one of the forms has, or has as special."""
    ids = only[0] | only[1]
    tokens = [
        token
        for form in sides
        for kind in ("special", "added")
        for token, number in form.outline.get(kind, {}).items()
        if token and number in ids
    ]
    return [text for text in texts if any(token in text for token in tokens)]


def with_same_tokens(
    texts: Sequence[str], others: Iterable[str], one: Opened, other: Opened
) -> list[str]:
    """Return the other texts with a special token that all these texts have."""
    found = _tokens_in(texts, one, other)
    tokens = [token for token in found if all(token in text for text in texts)]
    return [text for text in others if any(token in text for token in tokens)]


def _tokens_in(texts: Sequence[str], one: Opened, other: Opened) -> list[str]:
    names = _names(one, other)
    return [name for name in names if any(name in text for text in texts)][:MAX_TOKENS]


def _names(one: Opened, other: Opened) -> dict[str, None]:
    """Return the special and added tokens of both forms, each once."""
    return dict.fromkeys(
        name
        for form in (one, other)
        for kind in ("special", "added")
        for name in form.outline.get(kind, ())
        if name
    )


def _moved(one: Opened, other: Opened) -> dict[str, str]:
    """Return the tokens that both forms declare with different ids, and what the ids are."""
    own, theirs = (
        {**form.outline.get("added", {}), **form.outline.get("special", {})}
        for form in (one, other)
    )
    return {
        text: f"{text!r} ({theirs[text]:,}, here {own[text]:,})"
        for text in own.keys() & theirs.keys()
        if own[text] != theirs[text]
    }


def of_plain_parts(texts: Iterable[str], one: Opened, other: Opened) -> dict[str, str]:
    """Return the first part between special tokens that differs as plain text, by the text.

    Such a text differs for the reason for which the ids of the part do.
    """
    names = _names(one, other)
    if not names:
        return {}
    between = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    parts = {text: [part for part in between.split(text) if part] for text in texts}
    apart = _apart(list(dict.fromkeys(chain.from_iterable(parts.values()))), one, other, IDS)
    firsts = {text: next((p for p in row if p in apart), None) for text, row in parts.items()}
    return {text: part for text, part in firsts.items() if part is not None}


def _apart(probes: Sequence[str], one: Opened, other: Opened, column: str = SPECIAL) -> set[str]:
    """Return the texts with different ids; by default if special tokens are allowed."""
    columns: list[Mapping[str, str]] = []
    for form in (one, other):
        response = form.call(ColumnsRequest(probes, (column,), form.crashers)) if probes else None
        if response is None or response["texts"] < len(probes):
            return set()
        row = response["columns"][column]
        digests = (row[at : at + WIDTH] for at in range(0, len(row), WIDTH))
        columns.append(dict(zip(probes, digests, strict=False)))
    first, second = columns
    return {
        text
        for text in probes
        if first[text] != second[text] and NOT_ASKED not in (first[text], second[text])
    }
