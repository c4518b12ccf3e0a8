"""Alterations of the borders between pre-tokens: two classes of characters are joined, or cut.

The pattern of an engine may differ from that of the file in any way. Most differences show where
two classes of characters meet. A class is wide, such as letters, or narrow, such as lowercase
letters: texts refute those of which it is not true.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from tokharness.unicode.properties import category, digit_sets, label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["altered_borders"]

LONGEST: Final = 48
"""Characters of a text whose borders are altered; a shorter one shows the same."""

CASES: Final = {"Lu": "uppercase letters", "Lt": "titlecase letters", "Ll": "lowercase letters"}

Border = tuple[str, str]
"""The classes of the characters before and after it."""


def altered_borders(pieces: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield what is altered in a few words, and the pre-tokens of a text with it.

    There is an alteration for each pair of classes that meet in the text, between two pre-tokens or
    inside of one.
    """
    pieces = [piece for piece in pieces if piece]
    if sum(map(len, pieces)) > LONGEST:
        return
    ends = ((one[-1], other[0]) for one, other in pairwise(pieces))
    for border in _borders(ends):
        yield f"no border between {border[0]} and {border[1]}", _joined(pieces, border)
    inside = (pair for piece in pieces for pair in pairwise(piece))
    for border in _borders(inside):
        yield f"a border between {border[0]} and {border[1]}", _cut(pieces, border)


def _borders(pairs: Iterable[tuple[str, str]]) -> list[Border]:
    """Return each pair of classes of neighbouring characters once, the narrowest classes first.

    Of two that explain the same texts the first one counts: no more is said than they show.
    """
    found = (product(_classes(left), _classes(right)) for left, right in pairs)
    ranked = {border: rank for borders in found for rank, border in enumerate(borders)}
    return sorted(ranked, key=lambda border: ranked[border])


def _joined(pieces: Sequence[str], border: Border) -> list[str]:
    joined = [pieces[0]]
    for piece in pieces[1:]:
        if _is_border(joined[-1][-1], piece[0], border):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _cut(pieces: Sequence[str], border: Border) -> list[str]:
    parts: list[str] = []
    for piece in pieces:
        parts.append(piece[0])
        for before, char in pairwise(piece):
            if _is_border(before, char, border):
                parts.append(char)
            else:
                parts[-1] += char
    return parts


def _is_border(before: str, after: str, border: Border) -> bool:
    return border[0] in _classes(before) and border[1] in _classes(after)


@cache
def _classes(char: str) -> tuple[str, ...]:
    """Return the names of the classes that a character is in, the narrowest one first."""
    kind = category(char)
    if kind[0] == "L":
        return CASES.get(kind, "letters without case"), "letters"
    if kind[0] == "M":
        return ("marks",)
    if kind[0] == "N":
        return _narrow_number(char), "numbers"
    if char.isspace():
        return "line ends" if char in "\r\n" else label(char), "white space"
    return label(char), "other characters"


def _narrow_number(char: str) -> str:
    if char.isascii():
        return "ASCII digits"
    digits = next((digits for digits in digit_sets() if char in digits), None)
    if digits is None:
        return "numbers that are no decimal digits"
    return f"digits of U+{ord(digits[0]):04X} to U+{ord(digits[-1]):04X}"
