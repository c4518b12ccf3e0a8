"""The time that deaths cost is counted as on an idle machine: a busy one gives each call more."""

import time
from types import MappingProxyType

import pytest

from tokharness.errors import TargetDeath
from tokharness.targets.processes import remote
from tokharness.targets.processes.remote import Remote


@pytest.mark.parametrize(("crowding", "lost"), [(1.0, 20.0), (4.0, 5.0)])
def test_a_hang_on_a_busy_machine_costs_no_more(monkeypatch, crowding, lost):
    now = [0.0]

    class Hangs:
        info = MappingProxyType({"ops": []})

        def __init__(self, *_, **__):
            pass

        def call(self, *_):
            now[0] += 20.0
            raise TargetDeath("time limit")

        def close(self):
            pass

    monkeypatch.setattr(remote, "Program", Hangs)
    monkeypatch.setattr(remote, "crowding", lambda: crowding)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    target = Remote([])
    with pytest.raises(TargetDeath):
        target.call_batch("encode", ["1"])
    assert target.lost_seconds == lost
