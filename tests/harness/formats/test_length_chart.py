"""The chart of vocabulary against sequence length: places, labels, and what is lost."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.formats._html.length_chart import RIGHT, length_chart, spread
from tokharness.results.comparison import Length, Lengths

GROUP = "English prose"


def target(name="hf:a/b.json", size=32_000, value=24.5, **fields):
    length = Length(GROUP, 3, value, 4.0, 1.2, **fields)
    return Lengths(name, "BPE", size, (length,))


def unit(name="UTF-8 bytes", size=256, value=100.0):
    return Lengths(name, None, size, (Length(GROUP, 3, value, 1.0, 5.0),), is_unit=True)


def chart(*rows):
    return length_chart(rows, GROUP)


def marks(found):
    return [one for one in found.marks if one.kind != "leader"]


def labels(found):
    return [one for one in found.labels if one.x > RIGHT]


def test_a_larger_vocabulary_is_further_right_and_a_longer_sequence_further_up():
    first, second = marks(chart(unit(), target()))
    assert first.x < second.x
    assert first.y < second.y


def test_targets_of_one_size_and_length_have_labels_of_their_own():
    found = labels(chart(unit(), *(target(f"t:{number}") for number in range(12))))
    assert len({one.text for one in found}) == 13
    assert all(after.y - before.y > 12 for before, after in pairwise(found))


def test_a_target_that_loses_text_is_marked_in_the_point_and_in_the_label():
    found = chart(unit(), target(lossy=2, unknown=7))
    kept, lost = marks(found)
    assert (kept.kind, lost.kind) == ("unit", "lost")
    assert lost.text.endswith("loses text in 2 of 3 texts, 7 unknown tokens")
    assert [one.text.endswith(", lossy") for one in labels(found)] == [False, True]


@pytest.mark.parametrize(("size", "value"), [(None, 24.5), (0, 24.5), (-1, 24.5), (9, None)])
def test_a_target_without_a_place_is_left_out(size, value):
    assert len(marks(chart(unit(), target(size=size, value=value)))) == 1


def test_without_any_place_there_is_no_chart():
    assert chart(target(size=None)) is None


def test_names_have_no_folders_unless_they_would_be_the_same():
    found = labels(chart(target("hf:a/x.json"), target("hf:a/y.json"), target("hf:b/y.json")))
    assert [one.text.split()[1] for one in found] == ["hf:x.json", "hf:a/y.json", "hf:b/y.json"]


def test_a_hostile_name_is_visible_and_short():
    (label,) = labels(chart(target("hf:\x1b[2J\u202e" + "x" * 500)))
    assert "\\u{1b}" in label.text
    assert len(label.text) < 70


POSITIONS = st.lists(st.floats(0, 300), max_size=15).map(sorted)


@given(POSITIONS)
def test_labels_are_apart_and_in_their_order(wanted):
    places = spread(wanted, 17, 10, 300)
    assert all(after - before >= 17 - 1e-6 for before, after in pairwise(places))


@given(POSITIONS)
def test_labels_are_in_the_chart(wanted):
    places = spread(wanted, 17, 10, 300)
    assert all(10 <= place <= 300 + 1e-6 for place in places)


@given(st.lists(st.integers(1, 14), max_size=14, unique=True).map(sorted))
def test_labels_with_room_stay_where_they_are(wanted):
    positions = [20.0 * place for place in wanted]
    assert spread(positions, 17, 10, 300) == pytest.approx(positions)
