"""The watchdog waits as long as the longest wait."""

import faulthandler

import pytest

from tokharness.targets.processes.limits import GRACE_SECONDS, Watchdog


@pytest.fixture
def waits(monkeypatch):
    """Seconds of each wait that was started."""
    started = []
    monkeypatch.setattr(
        faulthandler, "dump_traceback_later", lambda seconds, **_: started.append(seconds)
    )
    return started


def test_a_longer_wait_after_a_shorter_one_is_started(waits):
    watchdog = Watchdog()
    watchdog.wait(1.0)
    watchdog.wait(10.0)
    assert waits == [1.0 + GRACE_SECONDS, 10.0 + GRACE_SECONDS]


def test_repeated_waits_of_one_length_are_started_once(waits):
    watchdog = Watchdog()
    for _ in range(5):
        watchdog.wait(1.0)
    assert len(waits) == 1
