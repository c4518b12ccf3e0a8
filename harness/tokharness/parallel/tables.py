"""Parallel text in a table: a column for each language, a row for each line."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from functools import partial
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.errors import UsageError
from tokharness.json_content import parse_json_text
from tokharness.parallel.model import MOST_OF_LINE, LanguageLines, lines_of, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

MOST_LANGUAGES = 10_000
"""Columns of a table, or values of a line of JSON, at most."""

MOST_CELLS = 1 << 22
"""Cells of a table beyond its number of characters, at most: blank lines have empty cells."""


def _read_csv(path: Path) -> list[LanguageLines]:
    csv.field_size_limit(MOST_OF_LINE)  # it is 128 KB by default
    commas = 0  # of the row that is read

    def lines() -> Iterator[str]:
        nonlocal commas
        for line in split_lines(path):
            commas += line.count(",")
            if commas > MOST_CELLS:
                raise UsageError(f"{path} has a row with more than {MOST_CELLS:,} commas")
            yield from io.StringIO(f"{line}\n", newline="")

    def numbered() -> Iterator[tuple[int, list[str]]]:
        nonlocal commas
        for row in rows:
            commas = 0
            yield rows.line_num, row

    rows = csv.reader(lines(), strict=True)
    try:
        return _columns(path, numbered())
    except csv.Error as error:
        raise UsageError(f"line {rows.line_num} of {path} is not CSV: {error}") from None


def _read_tsv(path: Path) -> list[LanguageLines]:
    lines = enumerate(lines_of(path), 1)
    rows = ((number, line.split("\t", MOST_LANGUAGES)) for number, line in lines)
    return _columns(path, rows)


def _columns(path: Path, rows: Iterator[tuple[int, list[str]]]) -> list[LanguageLines]:
    """Return the columns of a table that begins with a header."""
    _, header = next(rows, (1, []))
    codes = [code.strip() for code in header]
    if not any(codes):
        raise UsageError(f"{path} is empty: its first line names the language of each column")
    if len(codes) > MOST_LANGUAGES:
        raise UsageError(f"{path} has more than {MOST_LANGUAGES:,} columns, one for each language")
    _refuse_duplicates(path, 1, codes)
    room = MOST_CELLS
    lines: dict[str, list[str]] = {code: [] for code in codes}
    numbers = []
    for number, row in rows:
        if not row or row == [""]:
            row = [""] * len(codes)  # noqa: PLW2901 - a blank line is blank in each language
            room -= len(codes)
            if room < 0:
                raise UsageError(
                    f"{path} has too many blank lines up to line {number}: leave out some"
                )
        if len(row) != len(codes):
            raise UsageError(
                f"line {number} of {path} has {len(row)} columns, and the header has {len(codes)}"
            )
        numbers.append(number)
        for code, cell in zip(codes, row, strict=True):
            lines[code].append(cell)
    return _languages(path, lines, numbers)


def _read_json_lines(path: Path) -> list[LanguageLines]:
    lines: dict[str, list[str]] = {}
    texts = lines_of(path)
    size = MOST_CELLS
    for index, line in enumerate(texts):
        row = _json_row(path, index + 1, line) if line.strip() else {}
        size += len(line)
        if (index + 1) * len(lines.keys() | row.keys()) > size:
            keys = f"{len(lines.keys() | row.keys()):,} keys up to line {index + 1}"
            raise UsageError(f"{path} has {keys}: each line needs a key for each language")
        for code in row:
            lines.setdefault(code, [""] * index)
        for code, own in lines.items():
            own.append(row.get(code, ""))
    if not lines:
        raise UsageError(f"{path} is empty: each line is an object with a key for each language")
    return _languages(path, lines, range(1, len(texts) + 1))


def _json_row(path: Path, number: int, line: str) -> Mapping[str, str]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        _refuse_duplicates(path, number, [key for key, _ in pairs])
        return dict(pairs)

    try:
        row = parse_json_text(line, object_pairs_hook=unique)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise UsageError(f"line {number} of {path} is not a JSON object with a key for a language")
    texts = {code: "" if text is None else text for code, text in row.items()}
    for code, text in texts.items():
        if not isinstance(text, str):
            raise UsageError(f"line {number} of {path} has no string under {json.dumps(code)}")
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise UsageError(
                f"line {number} of {path} has a lone surrogate: write whole characters"
            )
    return texts


def _refuse_duplicates(path: Path, number: int, codes: list[str]) -> None:
    code, times = max(Counter(codes).items(), key=itemgetter(1), default=("", 0))
    if times > 1:
        raise UsageError(f"line {number} of {path} has two columns {code!r}: rename one of them")


def _where(code: str, file: str, numbers: Sequence[int], index: int) -> str:
    return f"{code} in line {numbers[index]} of {file}"


def _languages(
    path: Path, lines: Mapping[str, list[str]], numbers: Sequence[int]
) -> list[LanguageLines]:
    """Return the columns as languages; ``numbers`` are the lines of the file."""
    return [
        LanguageLines(code, own, partial(_where, code, path.name, numbers))
        for code, own in lines.items()
    ]


TABLES: Mapping[str, Callable[[Path], list[LanguageLines]]] = MappingProxyType(
    {
        ".tsv": _read_tsv,
        ".csv": _read_csv,
        ".jsonl": _read_json_lines,
        ".ndjson": _read_json_lines,
    }
)
"""The reader of each kind of table, by the suffix of the file."""
