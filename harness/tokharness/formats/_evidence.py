"""Evidence of findings as lines: what the target gave, and what was expected.

A report that is read from a file may hold any plain data as evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.escaping import Shown, json_text, shorten, truncate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Finding

DIFFERS = "differs"
"""Key that marks the rows of a table that are not as expected."""

GIVEN_AND_EXPECTED = ("given", "expected")
"""Names of the evidence that every comparison has."""

CALL = {"entry point": Shown("{}"), "for": Shown("for {}"), "after": Shown("after {}")}
"""Names of the evidence that says which call was made, with the words for each."""

QUOTED = (
    *GIVEN_AND_EXPECTED,
    "token",
    "covers",
    "pieces",
    "batch",
    "text",
    "encoded before",
    "for",
)
"""Beginnings of the names of evidence that is text of the target or of a case."""

MAX_VALUE, MAX_CELL, AROUND, MAX_ROWS = 300, 60, 2, 40
"""Columns of a value and of a cell; rows around a row that differs, and rows that are listed."""


def given_and_expected(finding: Finding, most: int) -> tuple[Shown, Shown] | None:
    """Return both values, each in at most ``most`` columns; None if the finding has none."""
    if any(name not in finding.evidence for name in GIVEN_AND_EXPECTED):
        return None
    given, expected = (finding.evidence[name] for name in GIVEN_AND_EXPECTED)
    return _value("given", given, most), _value("expected", expected, most)


def results_line(finding: Finding, most: int) -> Shown | None:
    """Return the call in a few words, what it gave, and what was expected, in a line."""
    both = given_and_expected(finding, most)
    if both is None:
        return None
    call = [
        words.format(_value(name, finding.evidence[name], most))
        for name, words in CALL.items()
        if name in finding.evidence
    ]
    colon = Shown(": ") if call else Shown("")
    return Shown("{}{}given {}, expected {}").format(Shown(", ").join(call), colon, *both)


def evidence_lines(evidence: Mapping[str, Any]) -> Iterator[Shown]:
    """Yield a line for each value, and for the rows of a table that differ, with neighbours."""
    for name, value in evidence.items():
        if not is_table(value):
            yield Shown("{}: {}").format(name, _value(name, value, MAX_VALUE))
            continue
        yield Shown("{}:").format(name)
        places = _shown_places(value)
        for place in places:
            yield _row(value[place])
        if equal := len(value) - len(places):
            yield Shown("  and {} more").format(equal)


def is_table(value: Any) -> bool:
    """Whether evidence is a list of rows."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _shown_places(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the places of the rows to list: all places if the table marks no row."""
    marked = [place for place, row in enumerate(rows) if row.get(DIFFERS)]
    near = {place + step for place in marked for step in range(-AROUND, AROUND + 1)}
    places = [place for place in range(len(rows)) if place in near or not marked]
    return places[:MAX_ROWS]


def _row(row: Mapping[str, Any]) -> Shown:
    cells = [
        Shown("{} {}").format(name, _value(name, value, MAX_CELL))
        for name, value in row.items()
        if name != DIFFERS and value not in (None, "")
    ]
    mark = Shown("  ! ") if row.get(DIFFERS) else Shown("    ")
    return Shown("{}{}").format(mark, Shown(", ").join(cells))


def _value(name: str, value: Any, most: int) -> Shown:
    """Return ids in brackets, texts of the target in quotes, and other data as it is."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        quoted = Shown(" ").join(Shown('"{}"').format(shorten(one, MAX_CELL)) for one in value)
        return quoted if len(quoted) <= most else Shown("{} texts").format(len(value))
    if isinstance(value, list) and all(type(one) is int for one in value):
        return shorten(f"[{' '.join(map(str, value))}]", most)
    if isinstance(value, str):
        shown = shorten(value, most)
        return Shown('"{}"').format(shown) if name.startswith(QUOTED) else shown
    return truncate(json_text(value).strip(), most)
