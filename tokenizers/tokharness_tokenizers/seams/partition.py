"""All code points, in classes that sets of characters and stages do not distinguish."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

Spans: TypeAlias = "tuple[tuple[int, int], ...]"
"""Code points as half-open spans, in order."""

END = 0x110000
SURROGATES = (0xD800, 0xE000)


@cache
def _every() -> str:
    return "".join(map(chr, range(END)))


@cache
def spans_of_atom(expression: str, flags: int = regex.VERSION0) -> Spans:
    """Return the code points that an expression of ``regex`` for one character matches."""
    runs: Any = regex.compile(f"(?:{expression})+", flags)
    return tuple(match.span() for match in runs.finditer(_every()))


def spans_of(points: Iterable[int]) -> Spans:
    """Return code points as spans."""
    spans: list[tuple[int, int]] = []
    for point in sorted(set(points)):
        if spans and spans[-1][1] == point:
            spans[-1] = spans[-1][0], point + 1
        else:
            spans.append((point, point + 1))
    return tuple(spans)


def complement(spans: Spans) -> Spans:
    """Return all other code points."""
    edges = [0, *chain.from_iterable(spans), END]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return tuple((start, end) for start, end in pairs if start < end)


@dataclass(frozen=True)
class Partition:
    """Classes of code points.

    Attributes:
        starts: The first code point of each run, from 0.
        labels: The class of each run; a class may have several runs.

    """

    starts: Sequence[int]
    labels: Sequence[int]

    @classmethod
    def by(cls, borders: Iterable[int], key: Callable[[int], Hashable]) -> Partition:
        """Return the classes with equal keys of runs between borders.

        ``key`` is a function from the first code point of a run, which stands for all of the run.
        """
        starts = sorted({0, *(border for border in borders if 0 < border < END)})
        numbers: dict[Hashable, int] = {}
        labels = [numbers.setdefault(key(start), len(numbers)) for start in starts]
        return cls(starts, labels)

    @classmethod
    def of_sets(cls, sets: Sequence[Spans], standins: Mapping[int, int] | None = None) -> Partition:
        """Return the classes of code points that are in the same sets.

        A code point with a stand-in is in the sets of its stand-in.
        """
        table = standins or {}
        borders = [border for spans in sets for span in spans for border in span]
        borders += [border for point in table for border in (point, point + 1)]
        found = [[start for start, _ in spans] for spans in sets]

        def key(point: int) -> tuple[int, ...]:
            point = table.get(point, point)
            places = [bisect_right(starts, point) - 1 for starts in found]
            return tuple(
                index
                for index, (place, spans) in enumerate(zip(places, sets, strict=True))
                if place >= 0 and point < spans[place][1]
            )

        return cls.by(borders, key)

    @cached_property
    def size(self) -> int:
        """The number of classes."""
        return max(self.labels) + 1

    def label(self, char: str) -> int:
        """Return the class of a character."""
        return self.labels[bisect_right(self.starts, ord(char)) - 1]

    @cached_property
    def representatives(self) -> list[str]:
        """A character of each class, the first."""
        first: dict[int, str] = {}
        for start, label in zip(self.starts, self.labels, strict=True):
            first.setdefault(label, chr(start))
        return [first[label] for label in range(self.size)]

    def spans(self, label: int) -> Spans:
        """Return the code points of a class."""
        ends = [*self.starts[1:], END]
        rows = zip(self.starts, ends, self.labels, strict=True)
        return joined((start, end) for start, end, found in rows if found == label)


def joined(spans: Iterable[tuple[int, int]]) -> Spans:
    """Return spans in order, in which no two touch; surrogates are left out."""
    low, high = SURROGATES
    ordered = sorted(
        part
        for start, end in spans
        for part in ((start, min(end, low)), (max(start, high), end))
        if part[0] < part[1]
    )
    found: list[tuple[int, int]] = ordered[:1]
    for (_, last), (start, end) in pairwise(ordered):
        if last == start:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return tuple(found)
