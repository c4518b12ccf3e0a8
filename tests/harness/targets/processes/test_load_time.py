"""A load may use its limit of processor time; the clock counts only while the process is idle."""

import time
from pathlib import Path

import pytest

from tokharness.targets.processes import limits, load_time
from tokharness.targets.processes.limits import WaitingTime
from tokharness.targets.processes.load_time import (
    MOST_SHARING,
    MOST_WAITING,
    LoadTime,
    crowding,
)


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


def test_what_an_ended_process_has_used_is_not_taken_for_idleness(clock):
    load = LoadTime(60.0, lambda: clock["used"], lambda: clock["waited"])
    clock["passed"] += 3.0
    clock["used"] -= 5.0
    clock["waited"] += 3.0
    assert not load.is_over()
    assert load.left > 59


def test_a_limit_below_the_window_is_kept(clock):
    assert seconds_until_over(clock, 0.5, 0.0) == pytest.approx(0.5)


@pytest.fixture
def thread_of(monkeypatch, tmp_path):
    """Return a function that writes what the system says of a thread, or that it has ended."""
    monkeypatch.setattr(limits, "Path", lambda path: tmp_path / Path(path).relative_to("/"))

    def write(process, thread, seconds, children=""):
        folder = tmp_path / "proc" / str(process) / "task" / str(thread)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "schedstat").write_text(f"5000000000 {seconds * 10**9} 17\n")
        (folder / "children").write_text(children)
        return folder

    return write


def test_what_a_thread_has_waited_stays_counted_when_it_ends(thread_of):
    thread_of(7, 7, seconds=1)
    ended = thread_of(7, 8, seconds=40)
    waiting = WaitingTime(7)
    thread_of(7, 8, seconds=45)
    assert waiting() == 5
    (ended / "schedstat").unlink()
    thread_of(7, 7, seconds=3)
    thread_of(7, 9, seconds=2)
    assert waiting() == 9


def test_what_started_processes_have_waited_counts_if_wanted(thread_of):
    thread_of(7, 7, seconds=1, children="8 9")
    thread_of(8, 8, seconds=1)
    own, all_of_them = WaitingTime(7), WaitingTime(7, with_descendants=True)
    thread_of(8, 8, seconds=3)
    thread_of(9, 9, seconds=4)
    assert (own(), all_of_them()) == (0, 6)


def test_a_process_that_has_ended_waits_for_nothing():
    assert WaitingTime(2**31 - 1)() == 0


@pytest.fixture
def crowding_after(monkeypatch, tmp_path, clock):
    """Return the factor for a call, after ten seconds in which this process ran and waited."""
    file = tmp_path / "schedstat"
    file.write_text("0 0 0")
    monkeypatch.setattr(load_time, "Path", lambda _: file)
    monkeypatch.setattr(load_time.os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(load_time, "_has_low_priority", lambda: True)
    monkeypatch.setattr(load_time, "_crowding_until", 0.0)
    monkeypatch.setattr(load_time, "_seen", (clock["passed"], 0.0, 0.0))

    def factor(run, waited, most=None):
        file.write_text(f"{int(run * 1e9)} {int(waited * 1e9)} 5")
        clock["passed"] += 10.0
        return crowding(most)

    return factor


def test_a_call_may_take_longer_by_what_its_process_waits_for_a_processor(crowding_after):
    assert crowding_after(0.5, 9.5) == pytest.approx(20)


def test_a_process_of_usual_priority_gets_as_much_as_the_load_may_give(crowding_after, monkeypatch):
    monkeypatch.setattr(load_time, "_has_low_priority", lambda: False)
    assert crowding_after(0.5, 9.5) == MOST_SHARING
    assert crowding_after(5.5, 14.5) == pytest.approx(2)


@pytest.mark.parametrize(("run", "waited"), [(10.0, 0.0), (0.001, 0.5), (0.0, 0.0)])
def test_a_process_that_runs_or_sleeps_gets_no_more_time(crowding_after, run, waited):
    assert crowding_after(run, waited) == 1


def test_a_starved_process_gets_more_time_up_to_a_bound(crowding_after):
    assert crowding_after(0.01, 9.9) == MOST_WAITING
    assert crowding_after(0.02, 19.9, most=2.0) == 2
