"""Crashing texts are skipped, and no text is skipped without evidence."""

import pytest

from tokharness.errors import TargetDeath
from tokharness.targets.processes.crashers import MAX_DEATHS, MAX_HANGS, Crashers

CRASH, HANG = TargetDeath("SIGABRT"), TargetDeath("time limit")


@pytest.fixture
def crashers():
    return Crashers()


def test_no_text_is_skipped_at_first(crashers):
    assert crashers.death_of("encode", "a") is None
    assert not crashers.must_isolate("encode", "a")
    assert crashers.reason_to_skip("encode", "a") is None
    assert crashers.time_share == 1


def test_a_death_belongs_to_its_operation_and_item(crashers):
    crashers.add("encode", "a", CRASH)
    crashers.add("decode", [1, 2], HANG)
    assert crashers.death_of("encode", "a") is CRASH
    assert crashers.death_of("decode", "a") is None
    assert crashers.death_of("decode", [1, 2]) is HANG
    assert crashers.death_of("decode", [1]) is None


def test_a_text_with_a_crashing_text_is_skipped_after_two_more_crash(crashers):
    crashers.add("encode", "xy", CRASH)
    for text in ("axy", "xyb"):
        assert crashers.must_isolate("encode", text)
        assert crashers.reason_to_skip("encode", text) is None
        crashers.add("encode", text, CRASH)
    assert crashers.reason_to_skip("encode", "1xy2") is not None
    assert crashers.reason_to_skip("encode", "x y") is None


def test_a_survivor_with_the_crashing_text_ends_the_skipping(crashers):
    crashers.add("encode", "xy", CRASH)
    for text in ("axy", "xyb"):
        crashers.add("encode", text, CRASH)
    crashers.add_survivor("encode", "xyz")
    assert crashers.reason_to_skip("encode", "1xy2") is None


def add_hangs(crashers, *texts):
    for text in texts:
        crashers.add("encode", text, HANG)


def test_texts_with_a_hanging_shape_are_skipped_after_several_hangs(crashers):
    add_hangs(crashers, "a\u0301\u0301", "b\u0302\u0302", "c\u0303\u0303")
    assert MAX_HANGS == 3
    assert crashers.reason_to_skip("encode", "e\u0304\u0304") is not None
    assert crashers.reason_to_skip("encode", "e\u0304\u0304\u0304!") is not None
    assert crashers.reason_to_skip("encode", "e\u0304") is None
    assert crashers.reason_to_skip("encode", "\u0304e\u0304") is None


def test_a_survivor_of_the_hanging_shape_ends_the_skipping(crashers):
    add_hangs(crashers, "a1", "b2", "c3")
    crashers.add_survivor("encode", "dd44")
    assert crashers.reason_to_skip("encode", "e5") is None


def test_texts_of_a_crashing_shape_are_skipped_after_many_crashes_only(crashers):
    for number in range(MAX_DEATHS):
        assert crashers.reason_to_skip("encode", "\u00bd") is None
        crashers.add("encode", chr(0x1F300 + number), CRASH)
    assert crashers.reason_to_skip("encode", "\U0001f600") is not None
    assert crashers.reason_to_skip("encode", "a\U0001f600") is None
    assert crashers.reason_to_skip("encode", "\u00bd") is None


def test_a_crashing_text_itself_is_not_skipped(crashers):
    add_hangs(crashers, "a1", "b2", "c3")
    assert crashers.reason_to_skip("encode", "a1") is None


def test_each_hang_shortens_the_time_limit_down_to_a_twentieth(crashers):
    shares = []
    for text in "abcd":
        add_hangs(crashers, text)
        shares.append(crashers.time_share)
    assert shares == [0.25, 0.0625, 0.05, 0.05]


def test_rows_replay_the_history(crashers):
    add_hangs(crashers, "a1", "b2", "c3")
    crashers.add("encode", "xy", CRASH)
    crashers.add("encode", "xyz", CRASH)
    crashers.add_survivor("encode", "?xy")
    crashers.add("decode", [1, 2], CRASH)
    copy = Crashers(crashers.rows)
    assert copy.rows == crashers.rows
    texts = ("d4", "wxyz", "xy", "!xy!", "d44", "\u00bd")
    for text in texts:
        assert str(copy.reason_to_skip("encode", text)) == str(
            crashers.reason_to_skip("encode", text)
        )
        assert copy.must_isolate("encode", text) == crashers.must_isolate("encode", text)
    assert copy.time_share == crashers.time_share
