from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.post_processors import Padding, Template, Truncation

IDS = st.lists(st.integers(0, 9), max_size=8)
AROUND = Template(((1, 7), None, (2,)))


def test_a_template_puts_ids_around_a_text():
    assert AROUND.apply([5, 6]) == [1, 7, 5, 6, 2]
    assert AROUND.added == 3
    assert Template().apply([5]) == [5]


def test_a_template_may_repeat_or_leave_out_the_text():
    twice = Template((None, (2,), None))

    assert twice.apply([5]) == [5, 2, 5]
    assert twice.bare.apply([5]) == [5, 5]
    assert Template(((1,),)).apply([5]) == [1]
    assert Template(((1,),)).bare.apply([5]) == []


@pytest.mark.parametrize(
    ("truncation", "added", "kept"),
    [
        (Truncation(3), 0, [1, 2, 3]),
        (Truncation(3), 2, [1]),
        (Truncation(3, "Left"), 0, [2, 3, 4]),
        (Truncation(2), 2, []),
        (Truncation(0, "Left", "OnlySecond", 5), 0, []),
        (Truncation(1), 2, [1, 2, 3, 4]),
        (Truncation(4, "Right", "OnlySecond", 9), 0, [1, 2, 3, 4]),
        (Truncation(3, "Right", "OnlyFirst", 2), 0, [1, 2, 3]),
    ],
)
def test_truncation_of_four_ids(truncation, added, kept):
    assert truncation.apply([1, 2, 3, 4], added=added) == kept


@pytest.mark.parametrize(
    ("truncation", "message"),
    [
        (Truncation(2, "Right", "OnlySecond"), "second text"),
        (Truncation(2, "Right", "LongestFirst", 2), "stride is 2"),
    ],
)
def test_ids_that_the_library_cannot_cut_are_an_error(truncation, message):
    with pytest.raises(ValueError, match=message):
        truncation.apply([1, 2, 3], added=0)


@given(IDS, st.integers(0, 9), st.sampled_from(["Left", "Right"]))
def test_truncation_keeps_one_end(ids, length, direction):
    kept = Truncation(length, direction).apply(ids, added=0)

    assert len(kept) == min(length, len(ids))
    assert kept == (ids[: len(kept)] if direction == "Right" else ids[len(ids) - len(kept) :])


@pytest.mark.parametrize(
    ("padding", "longest", "padded"),
    [
        (Padding(0, 4), None, [5, 6, 0, 0]),
        (Padding(0, 4, None, "Left"), None, [0, 0, 5, 6]),
        (Padding(0, 1), None, [5, 6]),
        (Padding(0), None, [5, 6]),
        (Padding(0), 3, [5, 6, 0]),
        (Padding(0, None, 4), None, [5, 6, 0, 0]),
        (Padding(0, 3, 4), None, [5, 6, 0, 0]),
        (Padding(0, None, 0), None, [5, 6]),
    ],
)
def test_padding_of_two_ids(padding, longest, padded):
    assert padding.apply([5, 6], longest=longest) == padded
