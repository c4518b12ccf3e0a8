"""The guard of a run kills the processes that have its mark, and only these."""

import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

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


@pytest.fixture(name="process")
def _process(monkeypatch, tmp_path):
    """A folder like that of a process in /proc, which a kill removes; ``start`` fills it."""
    folder = tmp_path / "7"
    folder.mkdir()

    def start(cmdline, environ):
        (folder / "cmdline").write_bytes(cmdline)
        (folder / "environ").write_bytes(environ)

    def kill(pid, signal):
        assert (pid, signal) == (7, 9)
        shutil.rmtree(folder)

    start(b"", b"")
    monkeypatch.setattr(_guard, "PROC", str(tmp_path))
    monkeypatch.setattr(_guard.os, "kill", kill)
    return SimpleNamespace(folder=folder, start=start)


def test_a_process_that_gets_its_environment_later_is_killed(monkeypatch, process):
    (process.folder / "exe").symlink_to(sys.executable)
    monkeypatch.setattr(_guard.time, "sleep", lambda _: process.start(b"python", b"MARK=1"))
    _guard.end_all(b"MARK", b"1")
    assert not process.folder.exists()


@pytest.mark.parametrize(
    ("cmdline", "executable"),
    [
        pytest.param(b"", False, id="a zombie or a kernel thread"),
        pytest.param(b"python", True, id="started without an environment"),
    ],
)
def test_other_processes_are_not_waited_for(monkeypatch, process, cmdline, executable):
    process.start(cmdline, b"")
    if executable:
        (process.folder / "exe").symlink_to(sys.executable)
    monkeypatch.setattr(_guard.time, "sleep", lambda _: pytest.fail("waited"))
    _guard.end_all(b"MARK", b"1")
    assert process.folder.exists()
