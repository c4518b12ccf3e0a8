"""A load may use its limit of processor time; the clock counts only while the process is idle."""

import os
import time

import pytest

from tokharness.targets.processes.load_time import LoadTime, waiting_seconds


@pytest.fixture
def clock(monkeypatch):
    now = {"passed": 100.0, "used": 7.0}
    monkeypatch.setattr(time, "monotonic", lambda: now["passed"])
    return now


def seconds_until_over(clock, limit, share, waiting=0.0):
    """Return how many seconds of the clock a load lasts that gets this share of the processor.

    ``waiting`` is the share of the time in which it waits for the processor.
    """
    begin = clock["passed"]
    load = LoadTime(limit, lambda: clock["used"], lambda: waiting * (clock["passed"] - begin))
    while not load.is_over():
        clock["passed"] += 0.5
        clock["used"] += 0.5 * share
        assert clock["passed"] < begin + 100 * limit
    return clock["passed"] - begin


@pytest.mark.parametrize(("share", "seconds"), [(1.0, 60), (0.25, 240), (2.0, 30), (0.0, 60)])
def test_a_busy_machine_gives_a_load_more_time_and_an_idle_process_none(clock, share, seconds):
    assert seconds_until_over(clock, 60.0, share) == pytest.approx(seconds, abs=2)


def test_a_process_that_waits_in_turns_of_little_work_ends_too(clock):
    assert seconds_until_over(clock, 60.0, 0.06) == pytest.approx(1000, abs=2)


def test_a_limit_below_the_window_is_kept(clock):
    assert seconds_until_over(clock, 0.5, 0.0) == pytest.approx(0.5)


def test_a_process_that_gets_hardly_any_processor_is_not_idle(clock):
    assert seconds_until_over(clock, 60.0, 0.02, waiting=0.9) == pytest.approx(3000, abs=2)


def test_the_time_for_which_a_process_waits_for_a_processor_is_known():
    assert waiting_seconds(os.getpid()) >= 0.0
    assert waiting_seconds(0) == 0.0
