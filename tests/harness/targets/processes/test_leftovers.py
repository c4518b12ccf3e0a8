"""The guard of a run kills the processes that have its mark, and only these."""

import os
import subprocess
import sys

import pytest

from tokharness.targets.processes import _guard
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


@pytest.fixture
def start_guard():
    guards = []

    def start():
        guards.append(Guard())
        return guards[-1]

    yield start
    for guard in guards:
        guard.end()


def test_a_process_in_another_session_does_not_outlive_the_run(start_guard, start_process):
    guard = start_guard()
    process = start_process(guard.environment)
    guard.end()
    assert process.wait(10) < 0


def test_a_process_of_another_run_is_not_killed(start_guard, start_process):
    guard, other = start_guard(), start_guard()
    process = start_process(other.environment)
    guard.end()
    assert process.poll() is None


def test_the_mark_of_an_outer_run_is_kept(monkeypatch, start_guard, start_process):
    outer = start_guard()
    monkeypatch.setitem(os.environ, VARIABLE, outer.environment[VARIABLE])
    inner = start_guard()
    process = start_process(inner.environment)
    outer.end()
    assert process.wait(10) < 0


@pytest.mark.parametrize(
    ("cmdline", "executable", "starting"),
    [
        pytest.param(b"", True, True, id="inside execve"),
        pytest.param(b"", False, False, id="a zombie or a kernel thread"),
        pytest.param(b"python\0", True, False, id="started, with no environment"),
    ],
)
def test_a_process_inside_execve_is_waited_for(
    monkeypatch, tmp_path, cmdline, executable, starting
):
    folder = tmp_path / "7"
    folder.mkdir()
    (folder / "cmdline").write_bytes(cmdline)
    (folder / "environ").write_bytes(b"")
    if executable:
        (folder / "exe").symlink_to(sys.executable)
    monkeypatch.setattr(_guard, "PROC", str(tmp_path))
    assert _guard.is_starting("7") is starting
