"""A record as the text of a baseline: JSON in ASCII with one entry per line, and its digest."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tokharness.targets.processes.json_lines import to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Mapping

UNHASHED = ("digest", "accepted")
"""Keys that a digest does not cover: itself, and the acceptances, which people may edit."""


def entry_lines(record: Mapping[str, Any]) -> dict[str, str]:
    """Return each key with its text; a list has one entry per line."""
    return {key: _part(key, value) for key, value in record.items()}


def digest_of_entries(record: Mapping[str, Any]) -> str:
    """Return the digest of a record, also of a record that was read from text: 16 hex digits."""
    return digest_of_lines(
        entry_lines({key: value for key, value in record.items() if key not in UNHASHED})
    )


def digest_of_lines(lines: Mapping[str, str]) -> str:
    """Return the digest of the record whose lines :func:`entry_lines` made."""
    return hashlib.sha256("\n".join(lines.values()).encode("ascii")).hexdigest()[:16]


def _part(key: str, value: Any) -> str:
    if not isinstance(value, list):
        return f"{_line(key)}: {_line(value)}"
    lines = ",\n".join(map(_golden_line if key == "golden" else _line, value))
    return f"{_line(key)}: [\n{lines}\n]" if value else f"{_line(key)}: []"


def _line(value: Any) -> str:
    return to_ascii_line(value).rstrip("\n")


def _golden_line(row: list[Any]) -> str:
    """Return a row without spaces between ids, which would be a tenth of a file."""
    *head, ids = row
    dense = _line(ids) if isinstance(ids, str) else f"[{','.join(map(str, ids))}]"
    return f"[{', '.join(map(_line, head))}, {dense}]"
