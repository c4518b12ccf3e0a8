"""Combining marks by script and class, and a letter of each script to put them on."""

from __future__ import annotations

from bisect import bisect
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import regex

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import combining, members, script, script_extensions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["grouped", "home_script", "letter_of", "marks", "neighbours"]

Key = TypeVar("Key", int, str)

LATIN = "Latn"
SHARED = {"Zinh", "Zyyy"}
"""Scripts of marks that are used with several scripts."""
USED_WITH_LATIN = regex.compile(r"[\p{scx=Latn}\p{scx=Zinh}\p{scx=Zyyy}]")
LETTERS = {
    LATIN: "a",
    "Bopo": "\u3105",
    "Glag": "\u2c30",
    "Hang": "\uac00",
    "Hani": "\u4e2d",
    "Kits": "\U00018b00",
    "Sgnw": "\U0001d800",
}
"""Letters of scripts whose letters are far from their marks; SignWriting has symbols only."""
NEAR = 64
"""Letters before and after a mark among which one of its script is looked for."""


@cache
def marks(*, ordered: bool) -> tuple[str, ...]:
    """Return the marks of all classes but 0, or those of class 0, by script, class and code point.

    A mark that has a decomposition is left out: normalization replaces it before it sorts.
    """
    chosen = (mark for mark in map(chr, members(r"\p{M}")) if bool(combining(mark)) == ordered)
    plain = (mark for mark in chosen if normalize("NFD", mark) == mark)
    return tuple(sorted(plain, key=lambda mark: (home_script(mark), combining(mark), mark)))


def grouped(of: Iterable[str], key: Callable[[str], Key]) -> dict[Key, list[str]]:
    """Return marks by what ``key`` returns for them, in the order of its values."""
    groups: dict[Key, list[str]] = {}
    for mark in of:
        groups.setdefault(key(mark), []).append(mark)
    return dict(sorted(groups.items()))


@cache
def neighbours(mark: str) -> tuple[str, str, str]:
    """Return a mark of the nearest lower class, of the same and of the nearest higher one.

    Each is of the same script, if there is one. There is "" for a class that does not exist, or
    that has no other mark.
    """
    classes = list(_by_class())
    place = classes.index(combining(mark))
    lower, equal, higher = classes[:place][-1:], classes[place : place + 1], classes[place + 1 :]
    return _other(mark, lower), _other(mark, equal), _other(mark, higher[:1])


def _other(mark: str, numbers: Sequence[int]) -> str:
    candidates = (other for each in numbers for other in _first_two(each, home_script(mark)))
    return next((other for other in candidates if other != mark), "")


@cache
def _by_class() -> dict[int, list[str]]:
    return grouped(marks(ordered=True), combining)


@cache
def _first_two(number: int, code: str) -> list[str]:
    """Return the first two marks of a class, those of a script before others."""
    return sorted(_by_class()[number], key=lambda mark: home_script(mark) != code)[:2]


@cache
def home_script(mark: str) -> str:
    """Return the code of a script in which a mark is used, Latin for one that is used in any."""
    if USED_WITH_LATIN.fullmatch(mark):
        return LATIN
    code = script(mark)
    return min(script_extensions(mark)) if code in SHARED else code


@cache
def letter_of(code: str) -> str:
    """Return a letter of a script: the one that is nearest to its first mark."""
    if code in LETTERS:
        return LETTERS[code]
    mark, letters = _first_marks()[code], members(r"[\p{Lo}\p{Ll}]")
    place = bisect(letters, mark)
    near = sorted(letters[max(place - NEAR, 0) : place + NEAR], key=lambda p: abs(p - mark))
    return next((chr(point) for point in near if script(chr(point)) == code), LETTERS[LATIN])


@cache
def _first_marks() -> dict[str, int]:
    """Return the first mark of each script."""
    return {home_script(chr(point)): point for point in reversed(members(r"\p{M}"))}
