"""What every family needs: no facts, no text twice, and a mixture of plain and hostile pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["NO_FACTS", "PLAIN_PIECES", "distinct", "mixture", "ranges", "spread"]

NO_FACTS = TargetFacts()

PLAIN_PIECES = ("a", " ", "1", "the", " word", "'s", ".", "\n", "_", "A", "\\u")
"""Where a hostile piece may stand in a random text: the readable first, as shrinking ends there."""


def distinct(cases: Iterable[Case]) -> Iterator[Case]:
    """Leave out empty texts, texts that came before, and a twin equal to its text or empty."""
    seen = {""}
    for case in cases:
        if case.text in seen:
            continue
        seen.add(case.text)
        if case.twin in (case.text, ""):
            yield Case(case.text, case.why)
        else:
            yield case


def mixture(
    hostile: Sequence[str], plain: Sequence[str] = PLAIN_PIECES, most: int = 4
) -> SearchStrategy[str]:
    """Random texts with at least one hostile piece and up to ``most`` pieces on either side."""
    from hypothesis import strategies as st

    one = st.sampled_from(hostile)
    around = st.lists(st.one_of(st.sampled_from(plain), one), max_size=most).map("".join)
    return st.tuples(around, one, around).map("".join)


def ranges(code_points: Iterable[int]) -> Iterator[tuple[int, int]]:
    """First and last of each contiguous run of sorted code points."""
    first = last = None
    for code_point in code_points:
        if first is None or last is None:
            first = code_point
        elif code_point != last + 1:
            yield first, last
            first = code_point
        last = code_point
    if first is not None and last is not None:
        yield first, last


def spread(code_points: Iterable[int]) -> Iterator[int]:
    """First, middle and last of each contiguous run: where tables of ranges go wrong."""
    for first, last in ranges(code_points):
        yield from sorted({first, (first + last) // 2, last})
