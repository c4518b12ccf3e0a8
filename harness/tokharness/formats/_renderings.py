"""Two renderings of one conversation, aligned: what both have stands in the same columns."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, TypeAlias

from rich.cells import cell_len

from tokharness.escaping import Shown, shorten, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.changes import Renderings

AROUND = 24
"""Characters that both have, before and after the differences."""

MOST = 240
"""Characters of the part that differs."""

COLUMNS = 44
"""Columns of a line, which fits into a narrow terminal next to its label."""

Row: TypeAlias = tuple[Shown, Shown, Shown]

PART = re.compile(r"\w+|\W")
"""A word or another character: parts of words are not aligned."""


def rendering_lines(pair: Renderings) -> Iterator[Shown]:
    """Yield the lines of a conversation and its two renderings, for a terminal."""
    yield Shown("conversation {}").format(shorten(pair.conversation, 4 * COLUMNS))
    for rows in _lines(aligned(pair.before, pair.after)):
        before, now, marks = (Shown("").join(row[side] for row in rows) for side in range(3))
        yield Shown("before  {}").format(before)
        yield Shown("now     {}").format(now)
        if marks.strip():
            yield Shown("        {}").format(marks)


def aligned(before: str, now: str) -> list[Row]:
    """Return the parts of two texts around their differences, and marks below what differs.

    What only one text has stands next to spaces.
    """
    start = _common(before, now)
    end = min(_common(before[::-1], now[::-1]), len(before) - start, len(now) - start)
    first, last = max(start - AROUND, 0), max(end - AROUND, 0)
    parts = [text[first : len(text) - last] for text in (before, now)]
    words = [PART.findall(part[:MOST]) for part in parts]
    rows = [_row("...", "...")] if first else []
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            rows += [_row(word, word) for word in words[0][a:b]]
        else:
            rows += [_row(word, "") for word in words[0][a:b]]
            rows += [_row("", word) for word in words[1][c:d]]
    ends = ["..." if last or len(part) > MOST else "" for part in parts]
    return [*rows, _row(*ends)] if any(ends) else rows


def _common(one: str, other: str) -> int:
    """Return the number of characters that two texts begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _row(one: str, other: str) -> Row:
    """Return two texts of the same width, and marks if they differ."""
    left, right = visible(one), visible(other)
    width = max(cell_len(left), cell_len(right))
    mark = " " if one == other else "^"
    return _padded(left, width), _padded(right, width), _padded(Shown(""), width, mark)


def _padded(shown: Shown, width: int, sign: str = " ") -> Shown:
    return Shown("{}{}").format(shown, sign * (width - cell_len(shown)))


def _lines(rows: list[Row]) -> Iterator[list[Row]]:
    """Yield the rows of each line of about ``COLUMNS`` columns."""
    line: list[Row] = []
    for row in rows:
        if line and sum(cell_len(one) for one, _, _ in line) + cell_len(row[0]) > COLUMNS:
            yield line
            line = []
        line.append(row)
    yield line
