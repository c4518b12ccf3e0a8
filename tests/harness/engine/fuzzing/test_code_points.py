"""Every code point comes in its turn, between what is plain."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.fuzzing import code_points as module
from tokharness.engine.fuzzing.code_points import code_point_texts
from tokharness.unicode import properties

walked = module._walk


@given(st.integers(1, 400), st.integers(0, 10**6), st.integers(0, 3), st.integers(1, 50))
def test_every_point_comes_once_in_each_time_around(total, seed, lap, count):
    points = range(1000, 1000 + total)
    begin, end = lap * total, (lap + 1) * total
    turns = range(begin, end, count)
    found = [one for at in turns for one in walked(points, seed, at, min(count, end - at))]
    assert sorted(found) == list(points)


def test_the_next_time_around_others_meet():
    points = range(101)
    first, second = (walked(points, 3, lap * 101, 101) for lap in range(2))
    assert first != second


def test_another_seed_begins_with_others():
    assert walked(range(10_000), 1, 0, 50) != walked(range(10_000), 2, 0, 50)


def test_every_scalar_value_is_walked_through():
    points = {point for walk in module.WALKS for point in properties.members(walk.expression)}
    assert points == set(range(0x110000)) - set(range(0xD800, 0xE000))


def test_turns_of_a_walk_follow_one_another(monkeypatch):
    points = tuple(range(0x4E00, 0x4E00 + 480))
    monkeypatch.setattr(module.properties, "members", lambda _: points)
    texts = [text for turn in (1, 5) for text in code_point_texts(random.Random(0), 0, turn, 10)]
    assert {ord(one) for one in "".join(texts)} >= set(points)


def test_a_walk_that_comes_twice_in_a_cycle_goes_on_the_second_time(monkeypatch):
    points = tuple(range(0x4E00, 0x4E00 + 200))
    monkeypatch.setattr(module.properties, "members", lambda _: points)
    texts = [
        text for turn in (0, 2, 4, 6) for text in code_point_texts(random.Random(0), 0, turn, 10)
    ]
    assert {ord(one) for one in "".join(texts)} >= set(points)


def test_the_first_turn_leaves_out_what_thousands_are_treated_like():
    texts = code_point_texts(random.Random(0), 0, 0, 400)
    assert len(texts) == 400
    categories = {properties.category(one) for one in "".join(texts)}
    assert categories.isdisjoint({"Cn", "Co", "Cs"})
    assert len(categories) > 20


def test_a_turn_depends_on_seed_and_number_alone():
    first, second, other = (code_point_texts(random.Random(0), seed, 4, 20) for seed in (1, 1, 2))
    assert first == second != other
