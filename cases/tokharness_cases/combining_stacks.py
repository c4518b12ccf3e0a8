r"""Combining marks: each alone and on a letter, stacks of up to ten thousand, in every order.

A letter may carry any number of marks. Unicode's Stream-Safe format allows thirty and then puts
U+034F; a normalizer sorts them by class, in quadratic time if it sorts by insertion; a buffer for
one character of, say, sixteen code points overflows; a pattern that takes a letter with its marks
as one backtracks over all of them; and a tokenizer that drops marks above a number loses text.

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
from tokharness_cases._family import NO_FACTS, distinct, mixture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

STACKED = (
    *("\u0301", "\u0327", "\u0345", "\u034f", "\u05b0", "\u064b", "\u093c", "\u094d", "\u0e48"),
    *("\u0f39", "\u1dce", "\u20dd", "\u3099", "\ufe0f", "\ufe20", "\U0001d165", "\U000e0100"),
)
"""Of many combining classes, non-spacing, spacing and enclosing, in and beyond the first plane."""

HEIGHTS = (*range(1, 9), 10, 15, 16, 17, 19, 20, 21, 29, 30, 31, 32, 33, 64, 100, 1000, 10_000)
BASES = ("", "a", "\u00e9", "\u4e2d", " ", "1", "\U0001f600", "\n", "\u05d0")
LIMIT = 30
"""Non-starters in a row in the Stream-Safe format."""


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every stack, in a fixed order."""
    return distinct(_all())


def _all() -> Iterator[Case]:
    for mark in _marks():
        why = label(mark)
        yield Case(mark, f"{why}, without a base")
        yield Case(f"a{mark}", f"{why} on a letter", "a")
        yield Case(f"a{mark}b", f"{why} in a word", "ab")
        yield Case(f"a{mark * 2}", f"{why} twice on a letter", "a")
    for mark in STACKED:
        for height in HEIGHTS:
            why = f"{height} times {label(mark)}"
            yield Case("a" + mark * height, f"{why} on a letter", "a")
        for base in BASES:
            yield Case(base + mark * LIMIT, f"{LIMIT} times {label(mark)} on another base", base)
        yield Case(f"a{mark * LIMIT}\u034f{mark * LIMIT}b", "a stream-safe stack", "ab")
        yield Case(f"word{mark * LIMIT}'s", f"{LIMIT} times {label(mark)} before 's", "word's")
    yield from _mixed()


def _mixed() -> Iterator[Case]:
    """Stacks of different marks: every order of four, and all classes in turn."""
    for order in permutations(("\u0301", "\u0323", "\u0327", "\u0345")):
        yield Case("a" + "".join(order), "four marks of different classes", "a")
    turns = {"rising": _by_class(), "falling": _by_class()[::-1]}
    for name, marks in turns.items():
        for height in HEIGHTS:
            stack = "".join(islice(cycle(marks), height))
            yield Case("e" + stack, f"{height} marks in {name} classes", "e")
            yield Case(f"e{stack}x{stack}t", f"{height} marks on each of two letters", "ext")


@cache
def _marks() -> tuple[str, ...]:
    return tuple(map(chr, members(r"\p{M}")))


@cache
def _by_class() -> tuple[str, ...]:
    """Give the first mark of each combining class, in the order of the classes."""
    first: dict[int, str] = {}
    for mark in _marks():
        first.setdefault(combining(mark), mark)
    return tuple(mark for _, mark in sorted(first.items()))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Words with random stacks in them."""
    from hypothesis import strategies as st

    stack = st.text(st.sampled_from((*STACKED, *_marks())), min_size=1, max_size=2 * LIMIT)
    return st.tuples(mixture(BASES[1:]), stack, mixture(BASES[1:])).map("".join)
