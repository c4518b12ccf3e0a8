"""The watchdog waits as long as the longest thing that it was told to wait for."""

import faulthandler

import pytest

from tokharness.targets.processes.limits import LATE, Watchdog


@pytest.fixture
def waits(monkeypatch):
    """Seconds of each wait that was begun."""
    begun = []
    monkeypatch.setattr(
        faulthandler, "dump_traceback_later", lambda seconds, **_: begun.append(seconds)
    )
    return begun


def test_a_longer_wait_right_after_a_shorter_one_begins_anew(waits):
    watchdog = Watchdog()
    watchdog.wait(1.0)
    watchdog.wait(10.0)
    assert waits == [1.0 + LATE, 10.0 + LATE]


def test_waits_of_one_length_one_after_another_begin_once(waits):
    watchdog = Watchdog()
    for _ in range(5):
        watchdog.wait(1.0)
    assert len(waits) == 1
