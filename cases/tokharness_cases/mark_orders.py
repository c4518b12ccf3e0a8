"""Combining marks in every order of their classes: equal, adjacent and far apart.

Normalization sorts the marks of a letter by their *canonical combining class*, and leaves marks of
one class in their order. A table of classes has a thousand entries, and one that is wrong by one
shows only next to a mark of the same class or of the nearest one: with the class of U+0316 one too
high, a letter with U+0316 and U+0317 changes, and with U+0316 and U+0301 it does not. A sort that
is not stable, or that makes one pass only, shows with three marks.

Cases: every mark that has a class other than 0, before and after another mark of its class, and
between marks of the nearest higher and lower classes, so that every class that is wrong and can be
seen is seen. Every mark of class 0, which nothing may cross, between marks of the highest class and
the lowest. For each script, all orders of two classes, of three neighbouring classes, and of three
marks with one class twice. A mark stands on a letter of its script, with marks of that script where
there are some. The first texts are words of many letters, so that a quick run has every mark. The
twin is the text in NFC.

Source: UAX #15 and the Unicode Standard, section 3.11 (Canonical Ordering Algorithm); UAX #44
(Canonical_Combining_Class).
"""

from __future__ import annotations

from itertools import islice, pairwise, permutations
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import combining, label
from tokharness.unicode.scripts import script_name
from tokharness_cases._family import NO_FACTS, mixture, without_duplicates
from tokharness_cases._marks import grouped, home_script, letter_of, marks, neighbours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

ORDERED_PER_TEXT, STARTERS_PER_TEXT = 12, 20
"""Letters of a text with many, for marks of a class other than 0 and of class 0."""
HIGHEST, LOWEST = "\u0345", "\u0334"
"""Marks of the classes 240 and 1."""


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every order, in a fixed order; the texts with many marks first."""
    return without_duplicates(
        Case(text, why, normalize("NFC", text)) for text, why in _texts_and_reasons()
    )


def _texts_and_reasons() -> Iterator[tuple[str, str]]:
    ordered = marks(ordered=True)
    for text in _joined(map(_in_one_stack, ordered), ORDERED_PER_TEXT):
        yield text, "letters with marks out of canonical order"
    for text in _joined(map(_as_starter, marks(ordered=False)), STARTERS_PER_TEXT):
        yield text, "letters with marks of class 0 between marks of other classes"
    for mark in ordered:
        yield from _among_neighbours(mark)
    for code, own in grouped(ordered, home_script).items():
        why = f"marks of {script_name(code)} in an order of their classes"
        for sequence in _sequences(own):
            yield letter_of(code) + "".join(sequence), why


def _in_one_stack(mark: str) -> str:
    """Return a letter with marks whose order changes with any change of the class of this one."""
    lower, equal, higher = neighbours(mark)
    twice = mark + equal + mark if equal else mark
    return letter_of(home_script(mark)) + higher + twice + lower


def _as_starter(mark: str) -> str:
    """Return a letter and a mark of class 0, across which two marks would change places."""
    return letter_of(home_script(mark)) + HIGHEST + mark + LOWEST


def _joined(pieces: Iterable[str], size: int) -> Iterator[str]:
    remaining = iter(pieces)
    while some := "".join(islice(remaining, size)):
        yield some


def _among_neighbours(mark: str) -> Iterator[tuple[str, str]]:
    letter, (lower, equal, higher) = letter_of(home_script(mark)), neighbours(mark)
    if equal:
        yield letter + mark + equal, f"{label(mark)} before a mark of its class"
        yield letter + equal + mark, f"{label(mark)} after a mark of its class"
    yield letter + higher + mark + lower, f"{label(mark)} between marks of the nearest classes"


def _sequences(own: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Two and three of the marks of a script, in all orders."""
    classes = list(grouped(own, combining).values())
    firsts = [of_class[0] for of_class in classes]
    yield from permutations(firsts, 2)
    for start in range(len(firsts) - 2):
        yield from permutations(firsts[start : start + 3])
    for one, other in pairwise(classes):
        yield from permutations((*one[:2], other[0]))
        yield from permutations((one[0], *other[:2]))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Letters of several scripts with random marks of all classes."""
    letters = tuple(letter_of(code) for code in grouped(marks(ordered=True), home_script))
    return mixture(marks(ordered=True), ("a", HIGHEST, LOWEST, "\u034f", *letters), most=5)
