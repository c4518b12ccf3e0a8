"""Parallel text as frozen data, and its lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.unicode.language_codes import language_of_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["LanguageLines", "LanguageText", "ParallelText", "is_code", "is_english"]

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
        lines: The number of lines of each language, without blank ones.
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
    """Whether a code is one of English: en, eng, eng_Latn, en-US, English."""
    return language_of_code(code.replace("-", "_").split("_")[0]) == "English"
