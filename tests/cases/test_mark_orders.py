"""A normalizer whose table of combining classes is wrong for one mark changes one of the texts."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

import pytest
import regex

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category, combining, label, members, script
from tokharness_cases import mark_orders
from tokharness_cases.mark_orders import home_script, letter_of, marks, neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

QUICK_FIRST = 200
"""Texts of a family that a quick run has in any case."""
WRONG: dict[str, Callable[[int], int]] = {
    "one too high": lambda number: number + 1,
    "one too low": lambda number: number - 1,
    "zero": lambda _: 0,
    "the lowest": lambda _: 1,
    "the highest": lambda _: 254,
}
STACK = regex.compile(r"\p{M}+")


@cache
def stacks(first: int | None) -> Mapping[str, set[str]]:
    """Return the stacks of each mark in the first texts, or in all."""
    of_mark = defaultdict(set)
    for text in [case.text for case in mark_orders.cases()][:first]:
        for stack in STACK.findall(text):
            for mark in stack:
                of_mark[mark].add(stack)
    return of_mark


def in_order(stack: str, class_of: Callable[[str], int]) -> str:
    """Apply the Canonical Ordering Algorithm to marks without decomposition."""
    runs = groupby(stack, key=lambda mark: class_of(mark) > 0)
    return "".join("".join(sorted(run, key=class_of) if moved else run) for moved, run in runs)


def changes(mark: str, number: int, stack: str) -> bool:
    wrong = in_order(stack, lambda other: number if other == mark else combining(other))
    return wrong != normalize("NFD", stack)


def is_visible(mark: str, number: int) -> bool:
    """Whether any text shows that a mark has a wrong class: a mark of one of them or between."""
    low, high = sorted((combining(mark), number))
    others = (combining(other) for other in marks(ordered=True) if other != mark)
    return number != combining(mark) and any(low <= other <= high for other in others)


def unseen(wrong: Callable[[int], int], first: int | None, *, ordered: bool) -> list[str]:
    numbers = [(mark, wrong(combining(mark))) for mark in marks(ordered=ordered)]
    shown = [each for each in numbers if not ordered or each[1] == 0 or is_visible(*each)]
    assert len(shown) > 900
    return [
        label(mark)
        for mark, number in shown
        if not any(changes(mark, number, stack) for stack in stacks(first)[mark])
    ]


@pytest.mark.parametrize("first", [QUICK_FIRST, None], ids=["quick", "standard"])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_class_of_any_mark_is_seen(wrong: str, first: int | None) -> None:
    assert unseen(WRONG[wrong], first, ordered=True) == []


@pytest.mark.parametrize("first", [QUICK_FIRST, None], ids=["quick", "standard"])
@pytest.mark.parametrize("number", [1, 9, 220, 230, 240])
def test_a_class_for_any_mark_of_class_0_is_seen(number: int, first: int | None) -> None:
    assert unseen(lambda _: number, first, ordered=False) == []


def test_only_the_class_of_a_mark_without_neighbours_can_be_wrong_unseen() -> None:
    alone = [mark for mark in marks(ordered=True) if not is_visible(mark, combining(mark) + 1)]
    assert {combining(mark) for mark in alone} == {36, 84, 91, 132, 214, 226, 240}


def test_the_texts_with_many_marks_are_the_first() -> None:
    assert all(len(case.text) < 10 for case in list(mark_orders.cases())[QUICK_FIRST:])


def test_a_mark_stands_on_a_letter_of_its_script() -> None:
    codes = {home_script(mark) for mark in (*marks(ordered=True), *marks(ordered=False))}
    assert len(codes) > 90
    assert [code for code in codes if script(letter_of(code)) != code] == []
    assert all(category(letter_of(code))[0] == "L" for code in codes - {"Sgnw"})


@pytest.mark.parametrize(
    ("mark", "classes"),
    [("\u05b0", [9, 10, 11]), ("\u05b8", [17, 18, 19]), ("\u0345", [234, None, None])],
)
def test_neighbours_are_of_the_nearest_classes(mark: str, classes: list[int | None]) -> None:
    assert [combining(other) if other else None for other in neighbours(mark)] == classes


def test_neighbours_are_of_the_same_script_if_there_are_any() -> None:
    assert neighbours("\u05b8") == ("\u05b7", "\u05c7", "\u05b9")


def test_marks_of_a_script_are_in_every_order_of_two_and_three_classes() -> None:
    texts = {case.text for case in mark_orders.cases()}
    letter = letter_of("Hebr")
    assert {f"{letter}\u05b0\u05bc", f"{letter}\u05bc\u05b0"} <= texts  # classes 10 and 21
    assert f"{letter}\u05b2\u05b1\u05b0" in texts


def test_every_decomposed_mark_is_left_out() -> None:
    left_out = set(map(chr, members(r"\p{M}"))) - {*marks(ordered=True), *marks(ordered=False)}
    assert all(normalize("NFD", mark) != mark for mark in left_out)
