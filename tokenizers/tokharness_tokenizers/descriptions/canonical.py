"""One form of equal JSON values, and what several formats describe in the same way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tokharness.model import TokenEntry

__all__ = [
    "REPLACED",
    "canonical",
    "check_places",
    "is_comment",
    "replaced_first",
    "special_rows",
    "text_of",
    "unique",
    "write_json",
]

EXACT: Final = 1 << 53
"""A float below is an integer exactly if it looks like one."""

REPLACED: Final = "replaced"
"""The type of an id whose token has another id, which encoding uses."""

COMMENTS: Final = {"comment", "comments", "description", "note", "notes"}
"""Names of fields for people; so are those that begin with one of the marks."""
MARKS: Final = ("_", "$", "#", "//")


def canonical(value: Any) -> Any:
    """Return a JSON value with sorted keys, and with 1 for 1.0."""
    if isinstance(value, dict):
        return {name: canonical(one) for name, one in sorted(value.items())}
    if isinstance(value, list | tuple):
        return [canonical(one) for one in value]
    if isinstance(value, float) and abs(value) < EXACT and value == int(value):
        return int(value)
    return value


def is_comment(name: str) -> bool:
    """Whether a field is for people."""
    return name.lower() in COMMENTS or name.startswith(MARKS)


def special_rows(special: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the special tokens of a format in which they have no other flags, by id."""
    rows = sorted(special.items(), key=lambda item: (item[1], item[0]))
    return [{"id": number, "special": True, "text": text} for text, number in rows]


def check_places(tokens: Sequence[TokenEntry]) -> None:
    """Raise ValueError if ids are not the places of the tokens, as a list has them."""
    for at, row in enumerate(tokens):
        if row.id != at:
            raise ValueError(f"the ids have no {at}, and the file is a list whose places are ids")


def replaced_first(tokens: Iterable[TokenEntry]) -> list[tuple[int, bytes]]:
    """Return the id and the bytes of each row, in an order in which the last one of a token counts.

    Raises ValueError if two rows have one id, or a token is a text.
    """
    rows = unique(((row.id, row) for row in tokens), "id").values()
    ordered = sorted(rows, key=lambda row: (row.type != REPLACED, row.id))
    return [(row.id, _bytes(row.token)) for row in ordered]


def _bytes(token: str | bytes) -> bytes:
    if isinstance(token, str):
        raise ValueError(f"the token {token!r:.60} is a text, and those of the file are bytes")  # noqa: TRY004
    return token


def text_of(token: str | bytes) -> str:
    """Return a token that is a text; raises ValueError if it is bytes."""
    if isinstance(token, bytes):
        raise ValueError(f"the token {token!r:.60} is bytes, and those of the file are texts")  # noqa: TRY004
    return token


def unique(pairs: Iterable[tuple[Any, Any]], what: str) -> dict[Any, Any]:
    """Return a dict of pairs; raises ValueError if two have one key, which is ``what``."""
    found: dict[Any, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"two entries have the {what} {key!r:.60}, and the file can have one")
        found[key] = value
    return found


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file; raises OSError."""
    path.write_text(json.dumps(value) + "\n", encoding="ascii")
