"""The steps from a list to another: few, named, and exact."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tokharness.edits.sequences import changed_places, steps

LETTERS = list("abcdefghij")


@given(st.lists(st.sampled_from(LETTERS), unique=True), st.randoms())
def test_the_steps_make_the_new_list_of_the_old_one(old, rnd):
    new = old + rnd.sample(range(3), 2)
    rnd.shuffle(new)
    del new[: rnd.randrange(3)]
    now = list(old)
    for step in steps(old, new):
        now = step.apply(now, new)
    assert now == new


def test_two_items_that_changed_places_are_one_step():
    new = list("ahcdefgbij")
    (step,) = steps(LETTERS, new)
    assert (step.kind, step.item, step.other, step.old, step.new) == ("swapped", "b", "h", 1, 7)


def test_an_item_that_moved_is_one_step():
    (step,) = steps(LETTERS, list("acdefgbhij"))
    assert (step.kind, step.item, step.old, step.new) == ("moved", "b", 1, 6)


def test_an_item_that_is_gone_or_new_moves_no_other():
    gone, new = steps(LETTERS, list("acdefghijk"))
    assert (gone.kind, gone.item) == ("gone", "b")
    assert (new.kind, new.item, new.new) == ("new", "k", 9)


def test_a_copy_is_one_step_wherever_it_stands():
    for place in (0, 5, 10):
        new = [*LETTERS[:place], "c", *LETTERS[place:]]
        (step,) = steps(LETTERS, new)
        assert (step.kind, step.item) == ("doubled", "c")


@given(st.lists(st.integers(0, 50), unique=True))
def test_what_has_not_changed_its_place_increases(order):
    left_out = changed_places(order)
    kept = [number for place, number in enumerate(order) if place not in left_out]
    assert kept == sorted(kept)


def test_the_longest_order_is_kept():
    order = [1, 2, 9, 3, 4, 0, 5]
    assert changed_places(order) == [2, 5]


def test_a_long_list_is_compared_quickly_in_order_of_its_length():
    old = list(range(2000))
    new = old.copy()
    rnd = random.Random(0)
    for _ in range(3):
        new.insert(rnd.randrange(2000), new.pop(rnd.randrange(2000)))
    assert 1 <= len(list(steps(old, new))) <= 3
