"""Combining marks in every order of their classes: equal, adjacent and far apart.

Normalization sorts the marks of a letter by their *canonical combining class*, and leaves marks of
one class in their order. A table of classes has a thousand entries, and an entry that is wrong by
one shows only next to a mark of the same class or of the nearest class: with the class of U+0316
one too high, a letter with U+0316 and U+0317 changes, and with U+0316 and U+0301 it does not. A
sort that is not stable, or that makes one pass only, shows with three marks.

Cases: every mark that has a class other than 0, before and after another mark of its class, and
between marks of the nearest higher and lower classes, so that every wrong class that a text can
show is shown. Every mark of class 0, which nothing may cross, between marks of the highest class
and the lowest. For each script, all orders of two classes, of three neighbouring classes, and of
three marks with one class twice. A mark stands on a letter of its script, with marks of that script
if there are any. The first texts are words of many letters, so that a quick run has every mark. The
twin is the text in NFC.

Source: UAX #15 and the Unicode Standard, section 3.11 (Canonical Ordering Algorithm); UAX #44
(Canonical_Combining_Class).
"""

from __future__ import annotations

from bisect import bisect
from functools import cache
from itertools import islice, pairwise, permutations
from typing import TYPE_CHECKING, TypeVar

import regex

from tokharness.model import Case, TargetFacts
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import (
    combining,
    label,
    members,
    script,
    script_extensions,
    script_name,
)
from tokharness_cases._family import NO_FACTS, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]


# Combining marks by script and class, and a letter of each script to put them on.

Key = TypeVar("Key", int, str)

LATIN = "Latn"
SHARED = {"Zinh", "Zyyy"}
"""Scripts of marks that are used with several scripts."""
USED_WITH_LATIN = regex.compile(r"[\p{scx=Latn}\p{scx=Zinh}\p{scx=Zyyy}]")
LETTERS = {
    LATIN: "a",
    "Bopo": "\u3105",
    "Glag": "\u2c30",
    "Hang": "\uac00",
    "Hani": "\u4e2d",
    "Kits": "\U00018b00",
    "Sgnw": "\U0001d800",
}
"""Letters of scripts whose letters are far from their marks; SignWriting has symbols only."""
NEAR = 64
"""Letters before and after a mark among which a letter of its script is searched for."""


@cache
def marks(*, ordered: bool) -> tuple[str, ...]:
    """Return the marks of all classes except 0, or of class 0, by script, class and code point.

    A mark that has a decomposition is left out: normalization replaces it before it sorts.
    """
    chosen = (mark for mark in map(chr, members(r"\p{M}")) if bool(combining(mark)) == ordered)
    plain = (mark for mark in chosen if normalize("NFD", mark) == mark)
    return tuple(sorted(plain, key=lambda mark: (home_script(mark), combining(mark), mark)))


def grouped(of: Iterable[str], key: Callable[[str], Key]) -> dict[Key, list[str]]:
    """Return marks by what ``key`` returns for them, in the order of its values."""
    groups: dict[Key, list[str]] = {}
    for mark in of:
        groups.setdefault(key(mark), []).append(mark)
    return dict(sorted(groups.items()))


@cache
def neighbours(mark: str) -> tuple[str, str, str]:
    """Return a mark of the nearest lower class, of the same class, and of the nearest higher class.

    Marks of the same script are preferred. A class that does not exist, or has no other mark, gives
    "".
    """
    classes = list(_by_class())
    place = classes.index(combining(mark))
    lower, equal, higher = classes[:place][-1:], classes[place : place + 1], classes[place + 1 :]
    return _other(mark, lower), _other(mark, equal), _other(mark, higher[:1])


def _other(mark: str, numbers: Sequence[int]) -> str:
    candidates = (other for each in numbers for other in _first_two(each, home_script(mark)))
    return next((other for other in candidates if other != mark), "")


@cache
def _by_class() -> dict[int, list[str]]:
    return grouped(marks(ordered=True), combining)


@cache
def _first_two(number: int, code: str) -> list[str]:
    """Return the first two marks of a class, marks of a script before other marks."""
    return sorted(_by_class()[number], key=lambda mark: home_script(mark) != code)[:2]


@cache
def home_script(mark: str) -> str:
    """Return the code of a script in which a mark is used; Latin for a mark used in any script."""
    if USED_WITH_LATIN.fullmatch(mark):
        return LATIN
    code = script(mark)
    return min(script_extensions(mark)) if code in SHARED else code


@cache
def letter_of(code: str) -> str:
    """Return a letter of a script: the letter nearest to the script's first mark."""
    if code in LETTERS:
        return LETTERS[code]
    mark, letters = _first_marks()[code], members(r"[\p{Lo}\p{Ll}]")
    place = bisect(letters, mark)
    near = sorted(letters[max(place - NEAR, 0) : place + NEAR], key=lambda p: abs(p - mark))
    return next((chr(point) for point in near if script(chr(point)) == code), LETTERS[LATIN])


@cache
def _first_marks() -> dict[str, int]:
    """Return the first mark of each script."""
    return {home_script(chr(point)): point for point in reversed(members(r"\p{M}"))}


ORDERED_PER_TEXT, STARTERS_PER_TEXT = 12, 20
"""Letters of a text with many letters, for marks of a class other than 0 and of class 0."""
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
    """Return a letter with marks whose order changes with any change of the class of ``mark``."""
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
