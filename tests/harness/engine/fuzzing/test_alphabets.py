"""Strings over a few characters, chosen anew for each."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.fuzzing.alphabets import alphabet_texts

some_pieces = st.lists(st.text(st.characters(), max_size=9), min_size=1, max_size=9)


@given(st.integers(0, 2**64), some_pieces, st.integers(0, 60))
def test_a_string_over_an_alphabet_is_of_few_characters(seed, pieces, count):
    made = alphabet_texts(random.Random(seed), pieces, count)
    assert len(made) == count
    assert all(3 <= len(text) <= 12 and len(set(text)) <= 7 for text in made)


def test_characters_that_are_known_are_in_some_alphabets():
    made = alphabet_texts(random.Random(0), ["\u13a0\u13a1"], 300)
    assert {"\u13a0", "\u13a1"} <= set("".join(made))


def test_white_space_of_two_kinds_meets():
    made = alphabet_texts(random.Random(0), ["a"], 3000)
    spaces = {"\u2003", "\u2009", "\u00a0", "\u3000"}
    assert any(len(spaces.intersection(text)) > 1 for text in made)
