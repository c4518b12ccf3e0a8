"""Metrics as rows and columns: a column for each target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.results.report import TargetReport

__all__ = [
    "MAX_TOKENS",
    "WITH_UNIT",
    "Token",
    "align_rows",
    "decode_piece",
    "group_rows",
    "milliseconds",
    "select_key",
    "sizes",
    "token_counts",
    "tokens",
    "word_range",
]

MAX_TOKENS = 80
"""Tokens of a text that are drawn."""

WITH_UNIT = ("fertility", "code", "cost of languages", "languages by cost")
"""Beginnings of the groups of a comparison whose rows all have the same unit."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its id, and its text, or its bytes if they are not UTF-8."""

    number: int
    piece: str | bytes


def decode_piece(data: str) -> str | bytes:
    """Return the text of a token from its bytes in hex; the bytes if they are not UTF-8."""
    token = bytes.fromhex(data)
    try:
        return token.decode()
    except UnicodeDecodeError:
        return token


def token_counts(
    columns: Sequence[tuple[TargetReport, Any]], key: str
) -> list[tuple[str, list[int]]]:
    """Return the counts of each target by name, the largest first."""
    names = dict.fromkeys(name for _, value in columns for name in value[key])
    rows = [(name, [value[key].get(name, 0) for _, value in columns]) for name in names]
    return sorted(rows, key=lambda row: -sum(row[1]))


def select_key(
    columns: Sequence[tuple[TargetReport, Any]], key: str
) -> list[tuple[TargetReport, Any]]:
    """Return one key of the value of each target."""
    return [(target, value[key]) for target, value in columns]


def tokens(encoding: Mapping[str, Any]) -> list[Token] | None:
    """Return the tokens of an encoding; None if their bytes are unknown."""
    if encoding["ids"] is None or encoding["bytes"] is None:
        return None
    pairs = zip(encoding["ids"], encoding["bytes"], strict=True)
    return [Token(number, decode_piece(data)) for number, data in pairs]


def align_rows(
    columns: Sequence[Sequence[Mapping[str, Any]]], key: str
) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows of several targets with the same key; None for a target without it."""
    by_key = [{row[key]: row for row in rows} for rows in columns]
    for name in dict.fromkeys(name for rows in by_key for name in rows):
        yield name, [rows.get(name) for rows in by_key]


def sizes(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return all text sizes at which growth was measured."""
    return sorted({size for row in rows for size in row["sizes"]})


def milliseconds(rows: Sequence[Mapping[str, Any]], row: Mapping[str, Any]) -> list[float | None]:
    """Return the time of one unit at each of the sizes of all units; None if not measured."""
    seconds = dict(zip(row["sizes"], row["seconds"], strict=True))
    return [seconds[size] * 1000 if size in seconds else None for size in sizes(rows)]


def word_range(columns: Sequence[tuple[TargetReport, Any]]) -> str:
    """Return how many words the English counterparts of the language texts have."""
    counts = [row["english_words"] for _, rows in columns for row in rows]
    return f"{min(counts)} to {max(counts)}" if counts else "no"


def group_rows(rows: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows of a comparison by group."""
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    yield from groups.items()
