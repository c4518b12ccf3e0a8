"""Where the chunks of a text are in it, if they are.

A chunker that returns texts without their places leaves them open: "aa" is in "aaaa" at three
places. So the places are those at which the chunks, in order, are the text without what may be
lost, and the largest overlap of two chunks is as small as it can be. There are none only if no
places at all make the chunks the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, TypeAlias

from tokharness.unicode.properties import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Span: TypeAlias = "tuple[int, int]"

WHITE_SPACE = frozenset(map(chr, members(r"\p{White_Space}")))


def is_white_space(char: str) -> bool:
    """Whether Unicode or Python calls a character white space: Python also U+001C to U+001F."""
    return char in WHITE_SPACE or char.isspace()


def is_stripped(char: str) -> bool:
    """Whether a library strips a character as white space; that of ECMAScript has U+FEFF, too."""
    return is_white_space(char) or char == "\ufeff"


def place(
    text: str, chunks: Sequence[str], may_lose: Callable[[str], bool] = lambda _: False
) -> list[Span] | None:
    """Return the span of each chunk; None if they are not the text.

    Args:
        text: The text.
        chunks: The chunks; an empty chunk is placed behind the chunk before it.
        may_lose: Whether a character may be in no chunk.

    """
    lossless = _next_kept(text, may_lose)
    longest = max(map(len, chunks), default=0)
    most = 0
    while (found := _place(text, chunks, lossless, most)) is None and most < longest:
        most = max(2 * most, 1)
    return found


def _place(
    text: str, chunks: Sequence[str], lossless: Sequence[int], allowed: int
) -> list[Span] | None:
    """Return the spans with the smallest overlaps, none of which is longer than allowed.

    ``lossless`` has for each place of the text the next character that may not be lost.
    """
    # By start and reach of the last chunk: the largest overlap, all overlaps, and the spans so far.
    states: dict[Span, tuple[int, int, _Spans]] = {(0, 0): (0, 0, None)}
    for chunk in chunks:
        places = list(_places(text, chunk))
        following: dict[Span, tuple[int, int, _Spans]] = {}
        for (start, reach), (most, total, spans) in states.items():
            lowest, highest = max(start, reach - allowed), lossless[reach]
            fitting = places[bisect_left(places, lowest) : bisect_right(places, highest)]
            for at in fitting if chunk else (reach,):
                end = at + len(chunk)
                key = (at, max(reach, end)) if chunk else (start, reach)
                overlap = max(0, min(reach, end) - at)
                cost = max(most, overlap), total + overlap
                if key not in following or cost < following[key][:2]:
                    following[key] = (*cost, (spans, (at, end)))
        states = following
    whole = [state for (_, reach), state in states.items() if lossless[reach] == len(text)]
    return _listed(min(whole, key=lambda state: state[:2])[2]) if whole else None


_Spans: TypeAlias = "tuple[_Spans, Span] | None"
"""Linked lists share what is before, so that a state costs no copy."""


def _listed(spans: _Spans) -> list[Span]:
    found = []
    while spans is not None:
        spans, last = spans
        found.append(last)
    return found[::-1]


def gaps(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the parts of a text that no span has, of spans whose ends do not go back."""
    found = []
    reach = 0
    for start, end in (*spans, (len(text), len(text))):
        if start > reach:
            found.append((reach, start))
        reach = max(reach, end)
    return found


def _next_kept(text: str, may_lose: Callable[[str], bool]) -> list[int]:
    """Return for each place the first place from there on whose character may not be lost."""
    following = [len(text)] * (len(text) + 1)
    for at in range(len(text) - 1, -1, -1):
        following[at] = following[at + 1] if may_lose(text[at]) else at
    return following


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part) if part else -1
    while at >= 0:
        yield at
        at = text.find(part, at + 1)
