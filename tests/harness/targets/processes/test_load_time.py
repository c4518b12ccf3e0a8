"""A load may use its limit of processor time; the clock counts only while the process is idle."""

import time

import pytest

from tokharness.targets.processes.load_time import LoadTime


@pytest.fixture
def clock(monkeypatch):
    now = {"passed": 100.0, "used": 7.0, "waited": 3.0}
    monkeypatch.setattr(time, "monotonic", lambda: now["passed"])
    return now


def seconds_until_over(clock, limit, share, waiting=0.0):
    """Return how many seconds of the clock a load lasts that gets this share of the processor.

    It waits for a processor in the share ``waiting`` of the time.
    """
    load = LoadTime(limit, lambda: clock["used"], lambda: clock["waited"])
    begin = clock["passed"]
    while not load.is_over():
        clock["passed"] += 0.5
        clock["used"] += 0.5 * share
        clock["waited"] += 0.5 * waiting
        assert clock["passed"] < begin + 100 * limit
    return clock["passed"] - begin


@pytest.mark.parametrize(("share", "seconds"), [(1.0, 60), (0.25, 240), (2.0, 30), (0.0, 60)])
def test_a_busy_machine_gives_a_load_more_time_and_an_idle_process_none(clock, share, seconds):
    assert seconds_until_over(clock, 60.0, share) == pytest.approx(seconds, abs=2)


def test_a_process_that_waits_in_turns_of_little_work_ends_too(clock):
    assert seconds_until_over(clock, 60.0, 0.06) == pytest.approx(1000, abs=2)


@pytest.mark.parametrize("share", [0.02, 0.0])
def test_a_process_is_not_idle_while_twenty_others_have_the_processor(clock, share):
    seconds = seconds_until_over(clock, 60.0, share, waiting=1.0 - share)
    assert seconds == pytest.approx(1200, abs=2)


def test_a_limit_below_the_window_is_kept(clock):
    assert seconds_until_over(clock, 0.5, 0.0) == pytest.approx(0.5)
