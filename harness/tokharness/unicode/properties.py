"""Properties of code points (UAX #44), from ``unicodedata2`` and ``regex``.

A character is a string of length 1 and may be a lone surrogate; a code point is an int.
"""

from __future__ import annotations

import sys
from array import array
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import regex
import unicodedata2

from tokharness.unicode.scripts import script, script_extensions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "UNICODE_VERSION",
    "category",
    "characters_of",
    "combining",
    "digit_sets",
    "digits_like",
    "label",
    "members",
    "name",
    "ranges",
    "runs_of_members",
    "script",
    "script_extensions",
]

PLANE = 0x10000
UNIFORM = (range(0x40000, 0xE0000), range(0xF0000, sys.maxunicode + 1))
"""Planes without assigned characters, and planes for private use."""

UNICODE_VERSION: str = unicodedata2.unidata_version
"""Version of the Unicode Character Database for names, categories and normal forms."""


def category(char: str) -> str:
    """Return the general category of a character, such as "Lu"; "Cn" if it is unassigned."""
    return str(unicodedata2.category(char))


def combining(char: str) -> int:
    """Return the canonical combining class of a character, 0 to 254."""
    return int(unicodedata2.combining(char))


def name(char: str) -> str:
    """Return the name of a character, or its code point label if it has no name.

    The labels are those of the Unicode Standard, section 4.8, such as "<control-0000>", or
    "<reserved-0378>" for an unassigned code point.
    """
    return str(unicodedata2.name(char, "")) or f"<{_kind(char)}-{ord(char):04X}>"


def label(char: str) -> str:
    """Return the code point and name of a character: "U+200B ZERO WIDTH SPACE"."""
    return f"U+{ord(char):04X} {name(char)}"


def _kind(char: str) -> str:
    point = ord(char)
    if point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF:
        return "noncharacter"
    kinds = {"Cc": "control", "Co": "private-use", "Cs": "surrogate"}
    return kinds.get(category(char), "reserved")


@lru_cache(maxsize=256)
def members(expression: str) -> tuple[int, ...]:
    r"""Return the code points, in order, that a ``regex`` expression for one character matches.

    ``expression`` is a property or a class, such as ``\p{Default_Ignorable_Code_Point}`` or
    ``[\p{Cc}\p{Cf}]``. It is matched against all 1,114,112 code points, also surrogates. Results
    are cached.

    Raises:
        ValueError: ``regex`` cannot compile the expression.

    """
    return tuple(chain.from_iterable(runs_of_members(expression)))


@lru_cache(maxsize=256)
def runs_of_members(expression: str) -> tuple[range, ...]:
    """Return runs of the code points that an expression matches; raises as :func:`members` does."""
    try:
        pattern = regex.compile(f"(?:{expression})+")
    except regex.error as error:
        raise ValueError(f"not a character class: {expression!r}: {error}") from error
    # It may name a single character of these planes.
    if "\\U" in expression or max(expression, default="") >= chr(UNIFORM[0].start):
        return tuple(range(*match.span()) for match in pattern.finditer(_every_character()))
    chars, points = _distinct_characters()
    spans = (match.span() for match in pattern.finditer(chars))
    return tuple(range(points[start], points[end]) for start, end in spans)


def characters_of(expression: str) -> str:
    """Return the characters that an expression matches, in the order of their code points."""
    every = _every_character()
    return "".join(every[run.start : run.stop] for run in runs_of_members(expression))


@cache
def _distinct_characters() -> tuple[str, array[int]]:
    """Return characters that stand for those up to the next, and their code points and an end.

    They have the same properties: nothing but noncharacters differs in a plane without characters.
    """
    points = array("I")
    for plane in range(0, sys.maxunicode, PLANE):
        uniform = any(plane in planes for planes in UNIFORM)
        points.extend((plane, *range(plane + (0xFFFE if uniform else 1), plane + PLANE)))
    return _text_of(points), points + array("I", [sys.maxunicode + 1])


@cache
def _every_character() -> str:
    return _text_of(array("I", range(sys.maxunicode + 1)))


def _text_of(points: array[int]) -> str:
    return points.tobytes().decode(f"utf-32-{sys.byteorder[0]}e", "surrogatepass")


def ranges(code_points: Iterable[int]) -> str:
    """Return code points as ranges for display: "U+200B..U+200D, U+FEFF"."""
    return ", ".join(
        f"U+{first:04X}" if first == last else f"U+{first:04X}..U+{last:04X}"
        for first, last in _runs(code_points)
    )


def _runs(code_points: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for point in sorted(set(code_points)):
        if first is None or last is None:
            first = last = point
        elif point == last + 1:
            last = point
        else:
            yield first, last
            first = last = point
    if first is not None and last is not None:
        yield first, last


@cache
def digit_sets() -> tuple[str, ...]:
    """Return every set of ten decimal digits as a string from zero to nine, in code point order.

    By the stability policy the digits of a set are ten consecutive code points (77 sets in 18.0).
    """
    zeros = (point for point in members(r"\p{Nd}") if unicodedata2.decimal(chr(point), -1) == 0)
    return tuple("".join(map(chr, range(zero, zero + 10))) for zero in zeros)


def digits_like(char: str) -> str | None:
    """Return the set of ten decimal digits that a character is in; None if it is no digit."""
    value = unicodedata2.decimal(char, None)
    return (
        None
        if value is None
        else "".join(map(chr, range(ord(char) - value, ord(char) - value + 10)))
    )
