"""What is known to be deadly is not tried again, and nothing is left out without evidence."""

import pytest

from tokharness.errors import TargetDeath
from tokharness.targets.processes.crashers import MOST_DEATHS, MOST_HANGS, Deadly

CRASH, HANG = TargetDeath("SIGABRT"), TargetDeath("time limit")


@pytest.fixture
def deadly():
    return Deadly()


def test_nothing_is_known_at_first(deadly):
    assert deadly.death("encode", "a") is None
    assert not deadly.concerns("encode", "a")
    assert deadly.not_tried("encode", "a") is None
    assert deadly.patience == 1


def test_a_death_is_of_its_operation_and_item(deadly):
    deadly.add("encode", "a", CRASH)
    deadly.add("decode", [1, 2], HANG)
    assert deadly.death("encode", "a") is CRASH
    assert deadly.death("decode", "a") is None
    assert deadly.death("decode", [1, 2]) is HANG
    assert deadly.death("decode", [1]) is None


def test_a_text_that_holds_a_deadly_one_is_left_out_when_two_more_have_died(deadly):
    deadly.add("encode", "xy", CRASH)
    for text in ("axy", "xyb"):
        assert deadly.concerns("encode", text)
        assert deadly.not_tried("encode", text) is None
        deadly.add("encode", text, CRASH)
    assert deadly.not_tried("encode", "1xy2") is not None
    assert deadly.not_tried("encode", "x y") is None


def test_one_that_lives_refutes_it(deadly):
    deadly.add("encode", "xy", CRASH)
    for text in ("axy", "xyb"):
        deadly.add("encode", text, CRASH)
    deadly.lived("encode", "xyz")
    assert deadly.not_tried("encode", "1xy2") is None


def hung(deadly, *texts):
    for text in texts:
        deadly.add("encode", text, HANG)


def test_more_of_what_hung_is_left_out_after_several_hangs(deadly):
    hung(deadly, "a\u0301\u0301", "b\u0302\u0302", "c\u0303\u0303")
    assert MOST_HANGS == 3
    assert deadly.not_tried("encode", "e\u0304\u0304") is not None
    assert deadly.not_tried("encode", "e\u0304\u0304\u0304!") is not None
    assert deadly.not_tried("encode", "e\u0304") is None
    assert deadly.not_tried("encode", "\u0304e\u0304") is None


def test_a_text_of_the_shape_that_lives_refutes_it(deadly):
    hung(deadly, "a1", "b2", "c3")
    deadly.lived("encode", "dd44")
    assert deadly.not_tried("encode", "e5") is None


def test_texts_of_the_shape_of_a_crash_are_left_out_after_many_only(deadly):
    for number in range(MOST_DEATHS):
        assert deadly.not_tried("encode", "\u00bd") is None
        deadly.add("encode", chr(0x1F300 + number), CRASH)
    assert deadly.not_tried("encode", "\U0001f600") is not None
    assert deadly.not_tried("encode", "a\U0001f600") is None
    assert deadly.not_tried("encode", "\u00bd") is None


def test_a_text_that_is_deadly_itself_is_told_as_that(deadly):
    hung(deadly, "a1", "b2", "c3")
    assert deadly.not_tried("encode", "a1") is None


def test_time_gets_shorter_with_each_hang_down_to_a_twentieth(deadly):
    shares = []
    for text in "abcd":
        hung(deadly, text)
        shares.append(deadly.patience)
    assert shares == [0.25, 0.0625, 0.05, 0.05]


def test_its_rows_make_another_that_knows_the_same(deadly):
    hung(deadly, "a1", "b2", "c3")
    deadly.add("encode", "xy", CRASH)
    deadly.add("encode", "xyz", CRASH)
    deadly.lived("encode", "?xy")
    deadly.add("decode", [1, 2], CRASH)
    other = Deadly(deadly.rows)
    assert other.rows == deadly.rows
    texts = ("d4", "wxyz", "xy", "!xy!", "d44", "\u00bd")
    for text in texts:
        assert str(other.not_tried("encode", text)) == str(deadly.not_tried("encode", text))
        assert other.concerns("encode", text) == deadly.concerns("encode", text)
    assert other.patience == deadly.patience
