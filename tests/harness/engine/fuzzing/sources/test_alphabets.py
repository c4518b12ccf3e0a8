"""Short strings over small alphabets."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.fuzzing.sources.code_points import alphabet_texts

some_pieces = st.lists(st.text(st.characters(), max_size=9), min_size=1, max_size=9)


@given(st.integers(0, 2**64), some_pieces, st.integers(0, 60))
def test_a_string_has_few_different_characters(seed, pieces, count):
    texts = alphabet_texts(random.Random(seed), pieces, count)
    assert len(texts) == count
    assert all(3 <= len(text) <= 12 and len(set(text)) <= 7 for text in texts)


def test_characters_of_the_pieces_are_in_some_alphabets():
    texts = alphabet_texts(random.Random(0), ["\u13a0\u13a1"], 300)
    assert {"\u13a0", "\u13a1"} <= set("".join(texts))


def test_different_white_space_characters_occur_together():
    texts = alphabet_texts(random.Random(0), ["a"], 3000)
    spaces = {"\u2003", "\u2009", "\u00a0", "\u3000"}
    assert any(len(spaces.intersection(text)) > 1 for text in texts)
