r"""General categories of older Unicode versions, from ``versions.json``.

``generate_versions`` makes the table, which names its sources. A version is named "15.1"; "15.1.0"
means the same.

White_Space is not in the table: it last changed in 6.3 (U+180E), before the oldest version here,
so ``\s`` is the same set of 25 code points in all of them.
"""

from __future__ import annotations

import json
from array import array
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


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
"""A plain character of each general category that code points join or leave.

Each has its category in every version. None is White_Space or default-ignorable, or folds to an
ASCII letter. Letters have no case partner if their category has such a letter. U+C8000 is in a
plane without planned use. The other categories (Cc, Co, Cs, Zl, Zp, Zs) need no stand-in.
"""


@cache
def canonical(version: str) -> str:
    """Return the name of a version in :data:`VERSIONS`, "15.1" for "15.1.0".

    Raises:
        ValueError: the table does not have the version.

    """
    short = version.removesuffix(".0") if version.count(".") == 2 else version
    if short not in VERSIONS:
        raise ValueError(f"unknown Unicode version {version!r}; known: {', '.join(VERSIONS)}")
    return short


def category_in(char: str, version: str) -> str:
    """Return the general category of a character in a version; "Cn" if it was unassigned."""
    return _CATEGORIES[_table(canonical(version))[ord(char)]]


def age(char: str) -> str | None:
    """Return the version that assigned a character; None if it is unassigned or a noncharacter.

    For a character that is older than the table, the result is the table's oldest version.
    """
    return next((version for version in VERSIONS if category_in(char, version) != "Cn"), None)


@cache
def changed(old: str, new: str) -> Sequence[int]:
    """Return the code points, in order, whose general category differs between two versions."""
    old_table, new_table = _table(canonical(old)), _table(canonical(new))
    return array(  # all versions are kept: a tuple of each takes sixteen megabytes
        "I",
        (
            point
            for start in range(0, _SIZE, _BLOCK)
            if old_table[start : start + _BLOCK] != new_table[start : start + _BLOCK]
            for point in range(start, start + _BLOCK)
            if old_table[point] != new_table[point]
        ),
    )


@cache
def assigned_after(version: str) -> tuple[range, ...]:
    """Return runs of code points that were unassigned in a version and were assigned later."""
    unassigned = regex.escape(bytes([_CATEGORIES.index("Cn")]))
    gaps = regex.finditer(b"[%b]+" % unassigned, _table(canonical(version)))
    assigned = regex.compile(b"[^%b]+" % unassigned)
    newest = _table(VERSIONS[-1])
    return tuple(
        range(*run.span()) for gap in gaps for run in assigned.finditer(newest, *gap.span())
    )


@cache
def standins(version: str, base: str) -> dict[int, int]:
    r"""Return a table for ``str.translate`` with which an engine of ``base`` splits as ``version``.

    Each code point whose category differs between the two versions is replaced by a character that
    has its category of ``version`` in both versions. Texts keep their length. The result is exact
    for patterns of literals, ``\s`` and general categories, but may be wrong for patterns with
    scripts or other properties.
    """
    table = _table(canonical(version))
    of_category = {_CATEGORIES.index(name): ord(char) for name, char in STANDINS.items()}
    return {point: of_category[table[point]] for point in changed(version, base)}


def standin_of(version: str) -> Callable[[str], str]:
    """Return a function from a character to its stand-in in a version, as ``standins`` has it."""
    table = _table(canonical(version))
    of_category = {_CATEGORIES.index(name): char for name, char in STANDINS.items()}
    return lambda char: of_category[table[ord(char)]]


@cache
def _table(version: str) -> bytes:
    index = VERSIONS.index(version)
    table = bytearray() if index == 0 else bytearray(_table(VERSIONS[index - 1]))
    for start, stop, category in _runs(version):
        table[start:stop] = bytes([_CATEGORIES.index(category)]) * (stop - start)
    return bytes(table)


def _runs(version: str) -> Iterator[tuple[int, int, str]]:
    """Yield what a version changes: runs of code points ``[start, stop)`` and their category."""
    for run in _DATA["runs"][version].split():
        first, _, rest = run.partition("-")
        last, _, category = rest.partition(":")
        yield int(first, 16), int(last, 16) + 1, category


def _regex_version() -> str:
    # Without the tables, which would take a tenth of the time in which a worker starts.
    known = regex.compile(r"\P{Cn}").match
    for version in reversed(VERSIONS[1:]):
        if all(known(chr(start)) for start, _, category in _runs(version) if category != "Cn"):
            return version
    return VERSIONS[0]


REGEX_VERSION: str = _regex_version()
"""Unicode version of the installed ``regex``, inferred from the characters that it knows.

``regex`` does not declare its version. For a version newer than the table, the value is the table's
newest version.
"""
