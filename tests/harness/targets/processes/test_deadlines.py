"""A load may use its limit of processor time; the clock counts only while the process is idle.

A deadline in memory that two processes share.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tokharness.targets.processes import deadlines, limits
from tokharness.targets.processes.deadlines import (
    GRACE_SECONDS,
    MOST_SHARING,
    MOST_WAITING,
    LoadTime,
    SharedDeadline,
    crowding,
)
from tokharness.targets.processes.limits import WaitingTime


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
    monkeypatch.setattr(deadlines, "Path", lambda _: file)
    monkeypatch.setattr(deadlines.os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(deadlines, "_has_low_priority", lambda: True)
    monkeypatch.setattr(deadlines, "_crowding_until", 0.0)
    monkeypatch.setattr(deadlines, "_seen", (clock["passed"], 0.0, 0.0))

    def factor(run, waited, most=None):
        file.write_text(f"{int(run * 1e9)} {int(waited * 1e9)} 5")
        clock["passed"] += 10.0
        return crowding(most)

    return factor


def test_a_call_may_take_longer_by_what_its_process_waits_for_a_processor(crowding_after):
    assert crowding_after(0.5, 9.5) == pytest.approx(20)


def test_a_process_of_usual_priority_gets_as_much_as_the_load_may_give(crowding_after, monkeypatch):
    monkeypatch.setattr(deadlines, "_has_low_priority", lambda: False)
    assert crowding_after(0.5, 9.5) == MOST_SHARING
    assert crowding_after(5.5, 14.5) == pytest.approx(2)


@pytest.mark.parametrize(("run", "waited"), [(10.0, 0.0), (0.001, 0.5), (0.0, 0.0)])
def test_a_process_that_runs_or_sleeps_gets_no_more_time(crowding_after, run, waited):
    assert crowding_after(run, waited) == 1


def test_a_starved_process_gets_more_time_up_to_a_bound(crowding_after):
    assert crowding_after(0.01, 9.9) == MOST_WAITING
    assert crowding_after(0.02, 19.9, most=2.0) == 2


@pytest.fixture
def page_clock(monkeypatch):
    """A list with the time, which a test changes."""
    now = [100.0]
    monkeypatch.setattr("tokharness.targets.processes.deadlines.time.monotonic", lambda: now[0])
    return now


@pytest.fixture
def deadline(page_clock, monkeypatch):
    monkeypatch.setattr(deadlines, "_page", None)
    shared = SharedDeadline()
    yield shared
    shared.close()


def test_a_deadline_that_was_never_set_has_passed(deadline):
    assert deadline.has_passed()


def test_a_deadline_passes_after_its_seconds(deadline, page_clock):
    deadline.set(10)
    page_clock[0] += 9
    assert not deadline.has_passed()
    page_clock[0] += 2
    assert deadline.has_passed()


def test_the_process_moves_its_deadline_through_the_descriptor(deadline, page_clock):
    deadlines.share_deadline(deadline.fd)
    deadline.set(1)
    deadlines.set_deadline(10)
    page_clock[0] += 10 + GRACE_SECONDS - 0.5
    assert not deadline.has_passed()
    page_clock[0] += 1
    assert deadline.has_passed()


def test_a_deadline_that_is_nan_has_passed(deadline):
    deadlines.share_deadline(deadline.fd)
    deadlines.set_deadline(float("nan"))
    assert deadline.has_passed()


def test_a_deadline_in_a_file_that_was_emptied_has_passed(deadline):
    deadline.set(10)
    os.ftruncate(deadline.fd, 0)
    assert deadline.has_passed()


MOVES_ITS_DEADLINE = """
import sys
from tokharness.targets.processes.deadlines import set_deadline, share_deadline
share_deadline(int(sys.argv[1]))
set_deadline(1000)
print("ready", flush=True)
while True:
    set_deadline(1000)
"""


@pytest.mark.slow
def test_a_deadline_that_is_being_moved_has_not_passed():
    deadline = SharedDeadline()
    argv = [sys.executable, "-c", MOVES_ITS_DEADLINE, str(deadline.fd)]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, pass_fds=[deadline.fd])
    try:
        process.stdout.readline()
        assert not any(deadline.has_passed() for _ in range(100_000))
    finally:
        process.kill()
        process.communicate()
        deadline.close()


def test_a_process_that_shares_no_deadline_sets_none(deadline):
    deadline.set(1)
    deadlines.set_deadline(-100)
    assert not deadline.has_passed()


def test_our_own_code_has_more_time_on_a_busy_machine(monkeypatch):
    monkeypatch.setattr(deadlines, "crowding", lambda: 3.0)
    assert deadlines.own_seconds() == 3 * deadlines.OWN_SECONDS
