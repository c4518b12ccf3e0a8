"""Alterations of the borders between pre-tokens: classes of characters are joined, or cut apart.

The pattern of an engine may differ from the pattern of the file in any way. Most differences show
where two classes of characters meet. A class is wide, such as letters, or narrow, such as lowercase
letters: texts refute the classes for which an alteration is not true. Further alterations are
contractions.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from tokharness.unicode.properties import category, digits_like, label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MOST_WORK: Final = 48 * 48
"""Most different pairs of neighbours, times the characters of a text, that are tried."""

LIMITS: Final = (16, 20, 32, 50, 64, 100, 128, 200, 255, 256, 500, 512, 1000, 1024)
MOST_LIMITED: Final = 34_000
"""Usual limits of the length of a pre-token, and the longest pre-token that is cut."""

APOSTROPHES: Final = "'\u2018\u2019\u02bc\uff07`\u00b4"
LONGEST_CONTRACTION: Final = 3
"""Letters of a contraction."""

CASES: Final = {"Lu": "uppercase letters", "Lt": "titlecase letters", "Ll": "lowercase letters"}

Border = tuple[str, str]
"""The classes of the characters before and after a border."""


def altered_borders(pieces: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each alteration in a few words, and the pre-tokens of a text with it.

    There is an alteration for each pair of classes that meet in the text, between two pre-tokens or
    inside of one.
    """
    pieces = [piece for piece in pieces if piece]
    ends = dict.fromkeys((one[-1], other[0]) for one, other in pairwise(pieces))
    inside = dict.fromkeys(pair for piece in pieces for pair in pairwise(piece))
    if (len(ends) + len(inside)) * sum(map(len, pieces)) <= MOST_WORK:
        for border in _borders(ends):
            yield f"no border between {border[0]} and {border[1]}", _joined(pieces, border)
        for border in _borders(inside):
            yield f"a border between {border[0]} and {border[1]}", _cut(pieces, border)
    yield from _limited(pieces)
    for start in _starts_of_contractions(pieces):
        any_case = start.lower()
        what = f"{label(start[0])} and {{!r}} are a contraction"
        yield f"{what}, in this case".format(start[1:]), _contracted(pieces, start, str)
        yield what.format(any_case[1:]), _contracted(pieces, any_case, str.lower)


def _borders(pairs: Iterable[tuple[str, str]]) -> list[Border]:
    """Return each pair of classes of neighbouring characters once, the narrowest classes first.

    If two borders explain the same texts, the first counts, so that a cause claims no more than the
    texts show.
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


def _limited(pieces: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the pre-tokens with a usual limit of their length, in all of them or in white space."""
    longest = max(map(len, pieces), default=0)
    if longest > MOST_LIMITED:
        return
    for limit in (limit for limit in LIMITS if limit < 4 * longest):
        for what, is_limited in (
            ("runs of white space", str.isspace),
            ("pre-tokens", lambda _: True),
        ):
            for unit, size in (("characters", len), ("bytes", _bytes)):
                chosen = [piece for piece in pieces if is_limited(piece) and size(piece) > limit]
                parts = {piece: _chunks(piece, limit, size) for piece in chosen}
                if parts and all(parts.values()):
                    cut = [part for piece in pieces for part in parts.get(piece, [piece])]
                    yield f"{what} are cut after {limit:,} {unit}", cut


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _chunks(piece: str, limit: int, size: Callable[[str], int]) -> list[str]:
    """Cut a pre-token into parts of a size; empty if a part would end inside a character."""
    parts = [""]
    for char in piece:
        if size(parts[-1]) == limit:
            parts.append("")
        parts[-1] += char
        if size(parts[-1]) > limit:
            return []
    return parts


def _starts_of_contractions(pieces: Sequence[str]) -> list[str]:
    """Return the starts of words that begin with an apostrophe and go on after the contraction."""
    found = (
        piece[: size + 1]
        for piece in pieces
        if piece[0] in APOSTROPHES
        for size in range(1, min(LONGEST_CONTRACTION, len(piece) - 2) + 1)
        if piece[1 : size + 2].isalpha()
    )
    return list(dict.fromkeys(found))


def _contracted(pieces: Sequence[str], start: str, form: Callable[[str], str]) -> list[str]:
    """Cut words after this start, in a form of it, if more of the word follows."""
    size, parts = len(start), []
    for piece in pieces:
        is_cut = len(piece) > size and form(piece[:size]) == start
        parts += [piece[:size], piece[size:]] if is_cut else [piece]
    return parts


@cache
def _classes(char: str) -> tuple[str, ...]:
    """Return the names of the classes that a character is in, the narrowest class first."""
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
    digits = digits_like(char)
    if digits is None:
        return "numbers that are no decimal digits"
    return f"digits of U+{ord(digits[0]):04X} to U+{ord(digits[-1]):04X}"
