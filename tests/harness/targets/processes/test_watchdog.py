"""A deadline in memory that two processes share."""

import os
import subprocess
import sys

import pytest

from tokharness.targets.processes import load_time
from tokharness.targets.processes.load_time import GRACE_SECONDS, SharedDeadline


@pytest.fixture
def clock(monkeypatch):
    """A list with the time, which a test changes."""
    now = [100.0]
    monkeypatch.setattr("tokharness.targets.processes.load_time.time.monotonic", lambda: now[0])
    return now


@pytest.fixture
def deadline(clock, monkeypatch):
    monkeypatch.setattr(load_time, "_page", None)
    shared = SharedDeadline()
    yield shared
    shared.close()


def test_a_deadline_that_was_never_set_has_passed(deadline):
    assert deadline.has_passed()


def test_a_deadline_passes_after_its_seconds(deadline, clock):
    deadline.set(10)
    clock[0] += 9
    assert not deadline.has_passed()
    clock[0] += 2
    assert deadline.has_passed()


def test_the_process_moves_its_deadline_through_the_descriptor(deadline, clock):
    load_time.share_deadline(deadline.fd)
    deadline.set(1)
    load_time.set_deadline(10)
    clock[0] += 10 + GRACE_SECONDS - 0.5
    assert not deadline.has_passed()
    clock[0] += 1
    assert deadline.has_passed()


def test_a_deadline_that_is_nan_has_passed(deadline):
    load_time.share_deadline(deadline.fd)
    load_time.set_deadline(float("nan"))
    assert deadline.has_passed()


def test_a_deadline_in_a_file_that_was_emptied_has_passed(deadline):
    deadline.set(10)
    os.ftruncate(deadline.fd, 0)
    assert deadline.has_passed()


MOVES_ITS_DEADLINE = """
import sys
from tokharness.targets.processes.load_time import set_deadline, share_deadline
share_deadline(int(sys.argv[1]))
set_deadline(1000)
print("ready", flush=True)
while True:
    set_deadline(1000)
"""


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
    load_time.set_deadline(-100)
    assert not deadline.has_passed()


def test_our_own_code_has_more_time_on_a_busy_machine(monkeypatch):
    monkeypatch.setattr(load_time, "crowding", lambda: 3.0)
    assert load_time.own_seconds() == 3 * load_time.OWN_SECONDS
