"""Run the command on an adversary under a watchdog: a time limit, no process and no file left."""

import gc
import json
import os
import resource
import secrets
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tokharness.errors import TokharnessError

MARKER = "TOKHARNESS_ADVERSARY"
FEW = "TOK101,TOK102,TOK104"
"""The checks of most attacks: that of the planted fault, and those of exceptions and deaths."""

PLANTED = Path(__file__).with_name("faulty.py")

SEARCHED = [*filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
"""Folders of this code, if it is not the one that is installed."""


@dataclass(frozen=True)
class Outcome:
    """What a command did; ``report`` is its JSON report, None if it wrote none."""

    code: int
    out: str
    err: str
    seconds: float
    report: dict | None = field(repr=False)

    @property
    def findings(self):
        """Code and verdict of each finding, with its cause as text."""
        return [] if self.report is None else self.report["findings"]

    @property
    def codes(self):
        """Codes of the bugs."""
        return {finding["code"] for finding in self.findings if finding["verdict"] == "bug"}

    @property
    def skips(self):
        return [] if self.report is None else self.report["skips"]


def processes_of(token):
    """Return the processes that inherited the environment of a command, by process id."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                environment = (folder / "environ").read_bytes()
                state = (
                    (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
                )
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if f"{MARKER}={token}".encode() in environment and state != "Z":
                found[int(folder.name)] = command.replace(b"\0", b" ").decode("utf-8", "replace")
    return found


class Started:
    """A command that runs; ``finish`` waits for it under the watchdog."""

    def __init__(self, folder, arguments, environment, *, json_path):
        self.folder, self.json_path = folder, json_path
        self.token = secrets.token_hex(8)
        self.temporary = folder / "temporary"
        self.temporary.mkdir(exist_ok=True)
        self.begin = time.monotonic()
        self.popen = subprocess.Popen(
            arguments,
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(PLANTED.parent), *SEARCHED]),
                "TMPDIR": str(self.temporary),
                "NO_COLOR": "1",
                MARKER: self.token,
                **environment,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def finish(self, seconds):
        """Return the outcome; fail after so many seconds, or if a process or a file is left."""
        try:
            out, err = self.popen.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            pytest.fail(f"no end after {seconds} s: {processes_of(self.token)}")
        else:
            taken = time.monotonic() - self.begin
            left = self.processes_left()
            assert not left, f"processes are left: {left}"
            assert not list(self.temporary.iterdir()), "files are left in the temporary folder"
        finally:
            self.kill()
        report = json.loads(self.json_path.read_text()) if self.json_path.is_file() else None
        text = [stream.decode("utf-8", "surrogateescape") for stream in (out, err)]
        return Outcome(self.popen.returncode, *text, taken, report)

    def processes(self):
        """Return the command line of each process of the command, by process id."""
        return processes_of(self.token)

    def processes_left(self):
        """Return the processes that outlive the command by more than two seconds."""
        until = time.monotonic() + 2
        while (left := processes_of(self.token)) and time.monotonic() < until:
            pass
        return left

    def kill(self):
        for pid in processes_of(self.token):
            os.kill(pid, signal.SIGKILL)
        self.popen.wait()
        self.popen.stdout.close()
        self.popen.stderr.close()


@pytest.fixture
def start(tmp_path):
    """Return a function that starts ``tokharness`` with arguments, and kill what it started."""
    started = []

    def start_command(*arguments, **environment):
        json_path = tmp_path / "report.json"
        command = [sys.executable, "-m", "tokharness", *map(str, arguments)]
        started.append(Started(tmp_path, command, environment, json_path=json_path))
        return started[-1]

    yield start_command
    for process in started:
        process.kill()


@pytest.fixture
def attack(start, tmp_path):
    """Return a function that checks the target of a source, with a JSON report.

    The source defines ``Target``; ``from faulty import *`` gives it the tokenizer ``Planted``,
    whose fault must be found in spite of the attack.
    """

    def attack_with(source, *arguments, seconds=60, select=FEW, **environment):
        (tmp_path / "adversary.py").write_text(f"from faulty import *\n{source}", encoding="utf-8")
        report = ("--report", f"json={tmp_path / 'report.json'}")
        profile = ("--profile", "quick", "--examples", "0", "--family", "zero-width")
        select = () if "--select" in arguments else ("--select", select)
        target = "python:adversary.py:Target"
        words = (target, *profile, *select, "--jobs", "1", *report, *arguments)
        return start("check", *words, **environment).finish(seconds)

    return attack_with


MEMORY = 512 << 20
"""Bytes that a call may take in addition to what the process has."""

SECONDS = 10
"""Processor time of a call on a slow machine."""

MOST_CHARACTERS = 2000
"""Characters of a sentence."""


@pytest.fixture(scope="session")
def sentence_of():
    """Call a reader in a child process with bounds of memory and processor time."""
    return said_by


def said_by(call):
    """Return the sentence of the error that a call raises, or "" if it raises none.

    A traceback, the name of a signal or "waits for ever" is in its place where that is what
    happens.
    """
    read, written = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(written, "w", errors="backslashreplace") as stream:
            _bound()
            gc.freeze()  # a collection would copy all objects of the tests before
            try:
                call()
                stream.write("read")
            except TokharnessError as error:
                stream.write(f"said {error}")
            except BaseException:
                stream.write(traceback.format_exc())
            stream.flush()
            os._exit(0)
    os.close(written)
    with os.fdopen(read) as stream:
        result = stream.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return "waits for ever" if number == signal.SIGALRM else signal.Signals(number).name
    assert result == "read" or result.startswith("said "), result
    said = result.removeprefix("read").removeprefix("said ")
    assert "\n" not in said
    assert len(said) < MOST_CHARACTERS
    return said


def _bound():
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(6 * SECONDS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
