"""Texts that cover every code point, in plain contexts."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.fuzzing.sources import code_points as module
from tokharness.engine.fuzzing.sources.code_points import code_point_texts
from tokharness.unicode import properties

walk = module._walk


@given(st.integers(1, 400), st.integers(0, 10**6), st.integers(0, 3), st.integers(1, 50))
def test_a_lap_visits_every_point_once(total, seed, lap, count):
    points = range(1000, 1000 + total)
    begin, end = lap * total, (lap + 1) * total
    turns = range(begin, end, count)
    visited = [
        point for start in turns for point in walk(points, seed, start, min(count, end - start))
    ]
    assert sorted(visited) == list(points)


def test_the_next_lap_has_another_order():
    points = range(101)
    first, second = (walk(points, 3, lap * 101, 101) for lap in range(2))
    assert first != second


def test_another_seed_gives_another_order():
    assert walk(range(10_000), 1, 0, 50) != walk(range(10_000), 2, 0, 50)


@pytest.mark.slow
def test_the_walks_cover_every_scalar_value():
    points = {point for one in module.WALKS for point in properties.members(one.expression)}
    assert points == set(range(0x110000)) - set(range(0xD800, 0xE000))


def test_each_turn_continues_the_walk(monkeypatch):
    points = tuple(range(0x4E00, 0x4E00 + 480))
    monkeypatch.setattr(module.properties, "members", lambda _: points)
    texts = [text for turn in (1, 5) for text in code_point_texts(random.Random(0), 0, turn, 10)]
    assert set(map(ord, "".join(texts))) >= set(points)


def test_a_walk_that_occurs_twice_in_a_cycle_continues(monkeypatch):
    points = tuple(range(0x4E00, 0x4E00 + 200))
    monkeypatch.setattr(module.properties, "members", lambda _: points)
    texts = [
        text for turn in (0, 2, 4, 6) for text in code_point_texts(random.Random(0), 0, turn, 10)
    ]
    assert set(map(ord, "".join(texts))) >= set(points)


def test_the_first_turn_has_diverse_characters():
    texts = code_point_texts(random.Random(0), 0, 0, 400)
    assert len(texts) == 400
    categories = set(map(properties.category, "".join(texts)))
    assert categories.isdisjoint({"Cn", "Co", "Cs"})
    assert len(categories) > 20


def test_a_turn_depends_only_on_seed_and_number():
    first, second, other = (code_point_texts(random.Random(0), seed, 4, 20) for seed in (1, 1, 2))
    assert first == second != other
