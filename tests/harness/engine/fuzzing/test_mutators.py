"""Changed texts stay texts that can be changed again."""

import random

from hypothesis import example, given
from hypothesis import strategies as st

from tokharness.engine.fuzzing.mutators import MAX_LENGTH, MUTATORS, mutations

seeds = st.integers(0, 2**64)
anything = st.text(st.characters(), min_size=1, max_size=30)  # lone surrogates, too
some = st.lists(anything, min_size=1, max_size=6)


@given(seeds, some, some)
@example(0, ["\ud800"], ["\udfff\ud800"])
def test_a_change_leaves_something_and_not_too_much(seed, texts, pieces):
    made = mutations(random.Random(seed), texts, pieces, 60)
    assert len(made) == 60
    assert all(1 <= len(text) <= MAX_LENGTH for text in made)


@given(seeds, anything, anything)
def test_each_change_makes_a_text_of_any_two(seed, text, other):
    rng = random.Random(seed)
    assert all(isinstance(change(rng, text, other), str) for change in MUTATORS)


def test_a_text_as_long_as_may_be_grows_no_more():
    made = mutations(random.Random(0), ["a" * MAX_LENGTH], ["b" * MAX_LENGTH], 300)
    assert max(map(len, made)) == MAX_LENGTH


def test_most_texts_are_changed():
    made = mutations(random.Random(0), ["one"], ["other"], 300)
    assert made.count("one") < 60
    assert len(set(made)) > 100


@given(seeds)
def test_the_seed_alone_decides(seed):
    first, second = (mutations(random.Random(seed), ["one", "two"], ["x"], 30) for _ in range(2))
    assert first == second


def test_texts_that_came_later_are_taken_more_often():
    texts = [chr(0x4E00 + 100 * n) * 9 for n in range(10)]
    made = mutations(random.Random(0), texts, ["x"], 2000)
    often = [sum(text[0] * 3 in one for one in made) for text in texts]
    assert often[-1] > 2 * often[1] > 0


def test_the_first_text_is_changed_too():
    made = mutations(random.Random(0), ["q" * 9, "w" * 9, "e" * 9], ["x"], 2000)
    assert all(any(text in one for one in made) for text in ("qqq", "www", "eee"))


def test_pieces_of_others_are_put_in():
    made = mutations(random.Random(0), ["aaaa"], ["\u200b"], 300)
    assert any("\u200b" in text for text in made)
