"""Texts are drawn from families in turn."""

import random

import pytest
from hypothesis import strategies as st

from tokharness.engine.fuzzing.sources.strategies import (
    FAMILIES_PER_ROUND,
    TEXTS_PER_FAMILY,
    add_pairs,
    draw_from_families,
)
from tokharness.model import TargetFacts


class Family:
    module = ""

    def __init__(self, letter):
        self._letter = letter

    def strategy(self, facts):
        return st.integers(0, 10**9).map(lambda number: f"{self._letter}{number}")


SIX = [Family(letter) for letter in "abcdef"]


def texts(turn, seed=0):
    return draw_from_families(SIX, TargetFacts(), seed, turn)


@pytest.mark.parametrize(("turn", "letters"), [(0, "abcd"), (1, "efab"), (2, "cdef")])
def test_each_turn_has_the_next_families(turn, letters):
    assert {text[0] for text in texts(turn)} == set(letters)


def test_a_family_gives_other_texts_in_a_later_turn():
    first, later = ({text for text in texts(turn) if text[0] == "a"} for turn in (0, 1))
    assert len(first & later) < TEXTS_PER_FAMILY / 4


def test_the_number_of_texts_is_limited():
    assert TEXTS_PER_FAMILY < len(texts(0)) <= FAMILIES_PER_ROUND * TEXTS_PER_FAMILY


def test_the_texts_depend_on_the_seed():
    assert texts(0) == texts(0) != texts(0, seed=1)


def test_a_single_family_is_drawn_from_repeatedly():
    drawn = draw_from_families([Family("x")], TargetFacts(), 0, 0)
    assert len(set(drawn)) > 2 * TEXTS_PER_FAMILY


def test_drawn_texts_are_also_run_alone():
    assert add_pairs(random.Random(0), ["one", "two"])[:2] == ["one", "two"]
