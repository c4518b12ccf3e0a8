"""Helpers of families: contexts, deduplication, runs of code points, random mixtures."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.model import Case
from tokharness_cases import _contexts, _family

points = st.sets(st.integers(0, 60)).map(sorted)


def test_all_contexts_include_the_sentinels() -> None:
    texts = {case.text for case in _contexts.in_contexts("\u0378", "x")}
    assert texts >= {"\u0378\\u", "\u0378.a", "\u0378's", "_\u0378_init", "\u0378123"}
    assert texts >= {"\u0378", "\u0378word", "word\u0378", "a\u0378b", "\u0378\u0378"}


@pytest.mark.slow
@given(st.text(min_size=1))
def test_the_twin_of_a_removable_piece_is_its_context(piece: str) -> None:
    for case in _contexts.in_contexts(piece, "x", removable=True):
        assert case.twin is not None
        assert len(case.twin) < len(case.text)


@pytest.mark.slow
@given(st.lists(st.builds(Case, st.text("ab"), st.just("x"), st.none() | st.text("ab"))))
def test_without_duplicates_keeps_each_text_once_and_drops_useless_twins(cases: list[Case]) -> None:
    unique = list(_family.without_duplicates(cases))
    assert [case.text for case in unique] == list(dict.fromkeys(c.text for c in cases if c.text))
    assert all(case.twin is None or case.twin not in ("", case.text) for case in unique)


@given(points)
def test_ranges_cover_exactly_the_code_points(code_points: list[int]) -> None:
    runs = list(_family.ranges(code_points))
    assert [point for run in runs for point in run] == code_points
    assert all(first.stop < second.start for first, second in pairwise(runs))


@given(points)
def test_range_samples_include_the_ends_of_every_run(code_points: list[int]) -> None:
    runs = list(_family.ranges(code_points))
    samples = list(_family.range_samples(runs))
    assert samples == sorted(set(samples))
    assert set(samples) <= set(code_points)
    assert {end for run in runs for end in (run[0], run[-1])} <= set(samples)


@given(_family.mixture(("\u200b", "\u0301")))
def test_a_mixture_has_a_hostile_piece(text: str) -> None:
    assert "\u200b" in text or "\u0301" in text
