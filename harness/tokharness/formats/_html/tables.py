"""What was measured, as rows and columns that the page shows: a column a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.results.report import TargetReport

__all__ = [
    "MOST_TOKENS",
    "Token",
    "aligned",
    "compared_names",
    "counts",
    "languages",
    "milliseconds",
    "parts",
    "piece",
    "sizes",
    "tokens",
    "word_span",
]

MOST_TOKENS = 80
"""Tokens of a text that are drawn."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its id, and what it spells: bytes where they are no characters by themselves."""

    number: int
    piece: str | bytes


def piece(data: str) -> str | bytes:
    """Text of a token's bytes, which come as hex; the bytes where they are no text."""
    known = bytes.fromhex(data)
    try:
        return known.decode()
    except UnicodeDecodeError:
        return known


def counts(found: Sequence[tuple[TargetReport, Any]], key: str) -> list[tuple[str, list[int]]]:
    """Counts of several targets by name, the largest first."""
    names = dict.fromkeys(name for _, one in found for name in one[key])
    rows = [(name, [one[key].get(name, 0) for _, one in found]) for name in names]
    return sorted(rows, key=lambda row: -sum(row[1]))


def parts(found: Sequence[tuple[TargetReport, Any]], key: str) -> list[tuple[TargetReport, Any]]:
    """One part of what was measured of each target."""
    return [(target, one[key]) for target, one in found]


def tokens(encoding: Mapping[str, Any]) -> list[Token] | None:
    """Tokens of an encoding; None where nobody can tell their bytes."""
    if encoding["ids"] is None or encoding["bytes"] is None:
        return None
    pairs = zip(encoding["ids"], encoding["bytes"], strict=True)
    return [Token(number, piece(data)) for number, data in pairs]


def aligned(
    columns: Sequence[Sequence[Mapping[str, Any]]], key: str
) -> Iterator[tuple[str, list[Any]]]:
    """Rows of several targets side by side, by a key of theirs; None where one lacks it."""
    known = [{row[key]: row for row in rows} for rows in columns]
    for name in dict.fromkeys(name for one in known for name in one):
        yield name, [one.get(name) for one in known]


def languages(rows: Sequence[Mapping[str, Any]]) -> list[tuple[float, Mapping[str, Any]]]:
    """Languages with their tax, tokens over those of the English text beside, the dearest first."""
    told = [
        (row["tokens"] / row["english_tokens"], row)
        for row in rows
        if row["tokens"] and row["english_tokens"]
    ]
    return sorted(told, key=lambda pair: (-pair[0], pair[1]["code"]))


def sizes(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Sizes of texts that growth was measured at, of any unit."""
    return sorted({size for row in rows for size in row["sizes"]})


def milliseconds(rows: Sequence[Mapping[str, Any]], row: Mapping[str, Any]) -> list[float | None]:
    """Time of one unit at each of the sizes of all."""
    known = dict(zip(row["sizes"], row["seconds"], strict=True))
    return [known[size] * 1000 if size in known else None for size in sizes(rows)]


def word_span(found: Sequence[tuple[TargetReport, Any]]) -> str:
    """Say how many words the texts of languages have, in the English that says the same."""
    counts = [row["english_words"] for _, rows in found for row in rows]
    return f"{min(counts)} to {max(counts)}" if counts else "no"


def compared_names(rows: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Rows of a comparison by their group."""
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    yield from groups.items()
