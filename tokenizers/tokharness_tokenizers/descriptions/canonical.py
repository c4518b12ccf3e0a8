"""One form of equal JSON values, and what several formats describe in the same way."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tokharness.model import TokenEntry

__all__ = ["canonical", "check_places", "is_comment", "special_rows", "unique", "write_json"]

COMMENTS: Final = {"comment", "comments", "description", "note", "notes"}
"""Names of fields that people read; so are those that begin with one of these characters."""
MARKS: Final = ("_", "$", "#", "//")


def canonical(value: Any) -> Any:
    """Return a JSON value with sorted keys, without comments, and with 1 for 1.0."""
    if isinstance(value, dict):
        pairs = sorted(value.items())
        return {name: canonical(one) for name, one in pairs if not is_comment(name)}
    if isinstance(value, list | tuple):
        return [canonical(one) for one in value]
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
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
