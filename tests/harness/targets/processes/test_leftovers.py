"""The guard of a run kills the processes that have its mark, and only these."""

import os
import subprocess
import sys

import pytest

from tokharness.targets.processes.leftovers import VARIABLE, Guard
from tokharness.targets.processes.limits import LINUX

pytestmark = pytest.mark.skipif(not LINUX, reason="processes are found through /proc")

SLEEP = (sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)")


@pytest.fixture
def start_process():
    processes = []

    def start(environment):
        processes.append(subprocess.Popen(SLEEP, env=environment, start_new_session=True))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


def test_a_process_in_another_session_does_not_outlive_the_run(start_process):
    guard = Guard()
    process = start_process(guard.environment)
    guard.end()
    assert process.wait(10) < 0


def test_a_process_of_another_run_is_not_killed(start_process):
    guard, other = Guard(), Guard()
    process = start_process(other.environment)
    guard.end()
    assert process.poll() is None
    other.end()


def test_the_mark_of_an_outer_run_is_kept(monkeypatch, start_process):
    outer = Guard()
    monkeypatch.setitem(os.environ, VARIABLE, outer.environment[VARIABLE])
    inner = Guard()
    process = start_process(inner.environment)
    outer.end()
    assert process.wait(10) < 0
    inner.end()
