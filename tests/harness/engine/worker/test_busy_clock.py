"""A busy machine uses up nothing of a worker's time, and a target that sleeps some of it."""

import time

import pytest

from tokharness.engine.worker import budget
from tokharness.engine.worker.budget import BusyClock, SharedClock
from tokharness.engine.worker.operations.unit import busy_part


@pytest.mark.parametrize(
    ("processor", "passed", "waited", "counted"),
    [(3.0, 3.0, 0.0, 3.0), (3.0, 9.0, 0.0, 3.0), (0.0, 8.0, 0.0, 2.0), (1.0, 40.0, 39.0, 1.0)],
)
def test_what_counts(monkeypatch, processor, passed, waited, counted):
    now = {"processor": 0.0, "passed": 0.0, "waited": 0.0}
    monkeypatch.setattr(budget, "WaitingTime", lambda: lambda: now["waited"])
    monkeypatch.setattr(time, "process_time", lambda: now["processor"])
    monkeypatch.setattr(time, "monotonic", lambda: now["passed"])
    clock = BusyClock()
    now.update(processor=processor, passed=passed, waited=waited)
    assert clock() == pytest.approx(counted)
    assert clock() == pytest.approx(counted)  # no time has passed since


def test_threads_that_look_at_once_count_the_same_time_once(monkeypatch):
    now = 0.0
    looks = []
    monkeypatch.setattr(budget, "WaitingTime", lambda: lambda: 0.0 * sum(one() for one in looks))
    monkeypatch.setattr(time, "process_time", lambda: now)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    clock = BusyClock()
    looks.append(clock)
    now = 3.0
    assert clock() == pytest.approx(3.0)


def test_seconds_that_processes_share_count_in_part(monkeypatch):
    passed, crowding = 0.0, 1.0
    monkeypatch.setattr(time, "monotonic", lambda: passed)
    monkeypatch.setattr(budget, "crowding", lambda: crowding)
    clock = SharedClock()
    passed = 8.0
    assert clock() == 8.0
    passed, crowding = 16.0, 4.0
    assert clock() == 10.0


@pytest.mark.parametrize(("waited", "counted"), [(0.0, 90.0), (80.0, 10.0), (95.0, 0.0)])
def test_a_target_in_its_own_process_does_not_pay_for_its_wait(waited, counted):
    assert busy_part(90.0, waited) == counted
