"""Combining marks: each mark alone and on a letter, and stacks of up to 10,000 marks.

A letter may carry any number of marks. The Stream-Safe Text Format of Unicode allows thirty and
then inserts U+034F. Many marks reveal several faults: a normalizer that sorts marks by class with
insertion sort takes quadratic time; a buffer of, say, sixteen code points for one character
overflows; a pattern that matches a letter with its marks backtracks over all of them; a tokenizer
that drops marks above a limit loses text.

The twin is the text without the marks.

Source: UAX #15 section 13 (Stream-Safe Text Format) and its canonical ordering; UAX #44
(General_Category M, Canonical_Combining_Class).
"""

from __future__ import annotations

from functools import cache
from itertools import cycle, islice, permutations
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import combining, label, members
from tokharness_cases._family import NO_FACTS, mixture, plural, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

STACKED = (
    *("\u0301", "\u0327", "\u0345", "\u034f", "\u05b0", "\u064b", "\u093c", "\u094d", "\u0e48"),
    *("\u0f39", "\u1dce", "\u20dd", "\u3099", "\ufe0f", "\ufe20", "\U0001d165", "\U000e0100"),
)
"""Marks of many combining classes: nonspacing, spacing, enclosing, in and outside the BMP."""

HEIGHTS = (*range(1, 9), 10, 15, 16, 17, 19, 20, 21, 29, 30, 31, 32, 33, 64, 100, 1000, 10_000)
BASES = ("", "a", "\u00e9", "\u4e2d", " ", "1", "\U0001f600", "\n", "\u05d0")
LIMIT = 30
"""Most consecutive non-starters in Stream-Safe Text."""


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every stack, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for mark in _marks():
        why = label(mark)
        yield Case(mark, f"{why}, without a base")
        yield Case(f"a{mark}", f"{why} on a letter", "a")
        yield Case(f"a{mark}b", f"{why} in a word", "ab")
        yield Case(f"a{mark * 2}", f"{why} twice on a letter", "a")
    for mark in STACKED:
        for height in HEIGHTS:
            why = f"{plural(height, 'time')} {label(mark)}"
            yield Case("a" + mark * height, f"{why} on a letter", "a")
        for base in BASES:
            yield Case(base + mark * LIMIT, f"{LIMIT} times {label(mark)} on another base", base)
        yield Case(f"a{mark * LIMIT}\u034f{mark * LIMIT}b", "a stream-safe stack", "ab")
        yield Case(f"word{mark * LIMIT}'s", f"{LIMIT} times {label(mark)} before 's", "word's")
    yield from _mixed()


def _mixed() -> Iterator[Case]:
    """Stacks of different marks: every order of four, and all classes in sequence."""
    for order in permutations(("\u0301", "\u0323", "\u0327", "\u0345")):
        yield Case("a" + "".join(order), "four marks of different classes", "a")
    orders = {"rising": _by_class(), "falling": _by_class()[::-1]}
    for name, marks in orders.items():
        for height in HEIGHTS:
            stack = "".join(islice(cycle(marks), height))
            yield Case("e" + stack, f"{plural(height, 'mark')} in {name} classes", "e")
            yield Case(
                f"e{stack}x{stack}t", f"{plural(height, 'mark')} on each of two letters", "ext"
            )


@cache
def _marks() -> tuple[str, ...]:
    return tuple(map(chr, members(r"\p{M}")))


@cache
def _by_class() -> tuple[str, ...]:
    """Return the first mark of each combining class, in the order of the classes."""
    first: dict[int, str] = {}
    for mark in _marks():
        first.setdefault(combining(mark), mark)
    return tuple(mark for _, mark in sorted(first.items()))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Words with random stacks in them."""
    from hypothesis import strategies as st

    stack = st.text(st.sampled_from((*STACKED, *_marks())), min_size=1, max_size=2 * LIMIT)
    return st.tuples(mixture(BASES[1:]), stack, mixture(BASES[1:])).map("".join)
