"""Parallel text as frozen data, and its lines, up to a limit of memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.regular_files import read_file
from tokharness.unicode.languages import language_of_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

# The lines of a file in UTF-8, with limits that bound the memory for any content.

MOST_BYTES = 1 << 27
"""Bytes of parallel text that are read, at most; FLORES-200 has 80 million."""

MOST_LINES = 1 << 20
"""Lines of a file, at most; each takes a hundred bytes of memory, even if it is empty."""

MOST_OF_LINE = 1 << 22
"""Bytes of a line, at most; a line is a sentence, or a sentence in each language."""


def text_of(path: Path, most: int) -> str:
    """Return the text of a file, without a byte order mark; raises as :func:`split_lines`."""
    return _decoded(path, read_file(path, most).removeprefix(BOM), 1)


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file without their ends; raises as :func:`split_lines`."""
    return [line.removesuffix("\r") for line in split_lines(path)]


def split_lines(path: Path) -> list[str]:
    """Return the text between the line feeds of a file, without a byte order mark.

    A line is decoded by itself: one character beyond U+FFFF makes the characters of a text take
    four bytes each.

    Raises:
        UsageError: the file is not UTF-8, or has too many lines.
        OSError: the file cannot be read, or is too large.

    """
    data = read_file(path, MOST_BYTES).removeprefix(BOM).removesuffix(b"\n")
    if data.count(b"\n") >= MOST_LINES:
        raise UsageError(f"{path} has more than {MOST_LINES:,} lines: keep the first of them")
    lines = data.split(b"\n")
    if (longest := max(map(len, lines))) > MOST_OF_LINE:
        number = 1 + next(index for index, line in enumerate(lines) if len(line) == longest)
        raise UsageError(
            f"line {number} of {path} has {longest:,} bytes, more than {MOST_OF_LINE:,}: divide it"
        )
    return [_decoded(path, line, number) for number, line in enumerate(lines, 1)]


BOM = b"\xef\xbb\xbf"


def _decoded(path: Path, data: bytes, first: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first
        raise UsageError(f"line {line} of {path} is not UTF-8: convert the file") from None


CODE = re.compile(r"[A-Za-z0-9]{2,3}([-_][A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class LanguageLines:
    """The lines of a language as they were read; ``where(index)`` names the place of a line."""

    code: str
    lines: Sequence[str]
    where: Callable[[int], str]


@dataclass(frozen=True, slots=True)
class LanguageText:
    """The text of a language: its lines, joined by a space."""

    code: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ParallelText:
    """The same text in several languages, English first.

    Attributes:
        source: The name of the file or folder.
        lines: The number of lines of each language, without blank lines.
        languages: The languages, English first, then by code.
        left_out: The code of each language that was left out, and the reason.

    """

    source: str
    lines: int
    languages: tuple[LanguageText, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def is_code(code: str) -> bool:
    """Whether this looks like the code of a language, or is the English name of one."""
    return bool(CODE.fullmatch(code)) or language_of_code(code) is not None


def is_english(code: str) -> bool:
    """Whether a code stands for English: en, eng, eng_Latn, en-US, English."""
    return language_of_code(code.replace("-", "_").split("_")[0]) == "English"
