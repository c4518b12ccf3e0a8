"""The places of chunks in a text.

A chunker that returns texts without their places leaves them open: "aa" is in "aaaa" at three
places. So the places are those at which the chunks, in order, are the text without what may be
lost, and the largest overlap of two chunks is as small as it can be. There are none only if no
places at all make the chunks the text.

The steps of a search are counted: of a text of one letter, there may be too many places to try
each one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Span: TypeAlias = "tuple[int, int]"


MOST_STEPS = 1_000_000
MOST_STEPS_OF_ALL = 10_000_000
"""Steps of a search for the places of chunks, and of all searches for a chunker."""


class TooManyPlacesError(Exception):
    """Chunks may be at so many places of a text that not each one can be tried."""


class Steps:
    """The steps that searches for places may take, together and each."""

    def __init__(self, left: int = MOST_STEPS_OF_ALL) -> None:
        self._left = left
        self._of_search = MOST_STEPS

    def begin(self) -> None:
        """Begin a search."""
        self._of_search = min(MOST_STEPS, self._left)

    def take(self, steps: int) -> None:
        """Take steps; raise TooManyPlacesError if fewer are left."""
        self._left -= min(steps, self._of_search)
        self._of_search -= steps
        if self._of_search < 0:
            raise TooManyPlacesError


def place(
    text: str,
    chunks: Sequence[str],
    may_lose: Callable[[str], bool] = lambda _: False,
    steps: Steps | None = None,
) -> list[Span] | None:
    """Return the span of each chunk; None if they are not the text.

    Args:
        text: The text.
        chunks: The chunks; an empty chunk is placed behind the chunk before it.
        may_lose: Whether a character may be in no chunk.
        steps: The steps that are left.

    Raises:
        TooManyPlacesError: more steps are needed.

    """
    steps = steps or Steps()
    steps.begin()
    steps.take(len(text))
    lossless = _next_kept(text, may_lose)
    longest = max(map(len, chunks), default=0)
    most = 0
    while (found := _place(text, chunks, lossless, most, steps)) is None and most < longest:
        most = max(2 * most, 1)
    return found


def _place(
    text: str, chunks: Sequence[str], lossless: Sequence[int], allowed: int, steps: Steps
) -> list[Span] | None:
    """Return the spans with the smallest overlaps, none of which is longer than allowed.

    ``lossless`` has for each place of the text the next character that may not be lost.
    """
    # By start and reach of the last chunk: the largest overlap, all overlaps, and the spans so far.
    states: dict[Span, tuple[int, int, _Spans]] = {(0, 0): (0, 0, None)}
    for chunk in chunks:
        steps.take(len(states))
        windows = [(max(start, reach - allowed), lossless[reach]) for start, reach in states]
        lowest, highest = min(map(min, windows), default=0), max(map(max, windows), default=0)
        places = list(_places(text, chunk, lowest, highest))  # not all: a text may be one letter
        steps.take(len(places))
        following: dict[Span, tuple[int, int, _Spans]] = {}
        for ((start, reach), (most, total, spans)), window in zip(
            states.items(), windows, strict=True
        ):
            fitting = places[bisect_left(places, window[0]) : bisect_right(places, window[1])]
            steps.take(len(fitting))
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


def _places(text: str, part: str, lowest: int, highest: int) -> Iterator[int]:
    end = highest + len(part)
    at = text.find(part, lowest, end) if part else -1
    while at >= 0:
        yield at
        at = text.find(part, at + 1, end)
