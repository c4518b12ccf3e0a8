r"""General categories as older Unicode versions had them, from a table kept beside this module.

``versions.json`` says what it was measured with; ``generate_versions`` makes it. A version is
named "15.1"; "15.1.0" means the same.

White_Space is not in the table: it last changed in 6.3 (U+180E), before the oldest version here,
so ``\s`` is the same set of 25 code points in all of them.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise
from typing import Any

import regex

__all__ = [
    "REGEX_VERSION",
    "STANDINS",
    "VERSIONS",
    "age",
    "assigned_after",
    "canonical",
    "category_in",
    "changed",
    "standins",
]


def _load() -> Any:
    source = files("tokharness.unicode").joinpath("versions.json")
    return json.loads(source.read_text(encoding="ascii"))


_DATA: dict[str, Any] = _load()
_SIZE = 0x110000
_BLOCK = 0x100
_CATEGORIES: tuple[str, ...] = tuple(_DATA["categories"])

VERSIONS: tuple[str, ...] = tuple(_DATA["versions"])
"""The Unicode versions of the table, oldest first."""

STANDINS: dict[str, str] = {
    "Cf": "\u0600",
    "Cn": "\U000c8000",
    "Ll": "\U0001d41a",
    "Lm": "\u02b9",
    "Lo": "\u01bb",
    "Lt": "\u01c5",
    "Lu": "\U0001d400",
    "Mc": "\u0903",
    "Me": "\u0488",
    "Mn": "\u0300",
    "Nd": "\u0660",
    "Nl": "\u16ee",
    "No": "\u00bc",
    "Pc": "\u203f",
    "Pd": "\u2010",
    "Pe": "\u2046",
    "Pf": "\u00bb",
    "Pi": "\u00ab",
    "Po": "\u00a7",
    "Ps": "\u2045",
    "Sc": "\u00a2",
    "Sk": "\u00a8",
    "Sm": "\u00ac",
    "So": "\u00a6",
}
"""One plain character of each category that changes: old, of that category in every version.

No White_Space, nothing default-ignorable, nothing that folds to an ASCII letter. The letters have
no case partner, where their category has such a character. U+C8000 lies in a plane that nobody
plans to use. Categories that code points neither join nor leave (Cc, Co, Cs, Zl, Zp, Zs) have none.
"""


def canonical(version: str) -> str:
    """Name of a version as :data:`VERSIONS` has it, "15.1" for "15.1.0".

    Raises:
        ValueError: the table has no such version.

    """
    short = version.removesuffix(".0") if version.count(".") == 2 else version
    if short not in VERSIONS:
        raise ValueError(f"no Unicode version {version!r} here; known: {', '.join(VERSIONS)}")
    return short


def category_in(char: str, version: str) -> str:
    """General category of a character as of a version; "Cn" if it was unassigned then."""
    return _CATEGORIES[_table(canonical(version))[ord(char)]]


def age(char: str) -> str | None:
    """Version that assigned a character; None for what is unassigned or a noncharacter.

    For what is older than the table it is the oldest version of the table.
    """
    return next((each for each in VERSIONS if category_in(char, each) != "Cn"), None)


@cache
def changed(old: str, new: str) -> tuple[int, ...]:
    """Code points, in order, whose general category differs between two versions."""
    one, other = _table(canonical(old)), _table(canonical(new))
    return tuple(
        point
        for start in range(0, _SIZE, _BLOCK)
        if one[start : start + _BLOCK] != other[start : start + _BLOCK]
        for point in range(start, start + _BLOCK)
        if one[point] != other[point]
    )


@cache
def assigned_after(version: str) -> tuple[range, ...]:
    """Runs of the code points that a version had not assigned and a later one of the table has."""
    new = [p for p in changed(version, VERSIONS[-1]) if category_in(chr(p), version) == "Cn"]
    runs = groupby(enumerate(new), key=lambda item: item[1] - item[0])
    points = ([point for _, point in run] for _, run in runs)
    return tuple(range(run[0], run[-1] + 1) for run in points)


@cache
def standins(version: str, base: str) -> dict[int, int]:
    r"""Table for ``str.translate`` that lets an engine of ``base`` split text as of ``version``.

    Each code point whose category differs between the two becomes a character that has, in both,
    the category that the code point had in ``version``; texts keep their length. It is exact for
    patterns of literals, ``\s`` and general categories; a pattern that names a script, or any
    other property, may see the stand-in for what it is.
    """
    table = _table(canonical(version))
    of_category = {_CATEGORIES.index(name): ord(char) for name, char in STANDINS.items()}
    return {point: of_category[table[point]] for point in changed(version, base)}


@cache
def _table(version: str) -> bytes:
    place = VERSIONS.index(version)
    table = bytearray() if place == 0 else bytearray(_table(VERSIONS[place - 1]))
    for word in _DATA["runs"][version].split():
        first, _, rest = word.partition("-")
        last, _, category = rest.partition(":")
        start, stop = int(first, 16), int(last, 16) + 1
        table[start:stop] = bytes([_CATEGORIES.index(category)]) * (stop - start)
    return bytes(table)


def _regex_version() -> str:
    for before, version in reversed(list(pairwise(VERSIONS))):
        probe = next(p for p in changed(before, version) if category_in(chr(p), before) == "Cn")
        if regex.match(r"\P{Cn}", chr(probe)):
            return version
    return VERSIONS[0]


REGEX_VERSION: str = _regex_version()
"""Unicode version of the installed ``regex``, found by what it takes for assigned.

``regex`` does not say. One that is newer than the table is told as the newest of the table.
"""
