"""A target that uses up a resource of its process is reported as that, and nothing else is lost."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tokharness.targets.processes.deadlines import crowding

pytestmark = pytest.mark.slow

HELPERS = """
import resource, tempfile, threading

def limit(name, number):
    resource.setrlimit(getattr(resource, name), (number, number))

kept = []

def uses_up(function):
    # as a library does that keeps what it gets and ignores that there is no more
    try:
        while True:
            kept.append(function())
    except (OSError, RuntimeError, MemoryError):
        pass
"""

TARGET = """
class Target(Planted):
    def attack(self, text):
        if "\\u200d" in text:
            {action}
"""

SELECTED = ("--select", "TOK101,TOK102,TOK104")
"""Audits would use up the resource again."""

USES_UP = {
    "file descriptors": "limit('RLIMIT_NOFILE', 300); uses_up(lambda: os.open('/dev/null', 0))",
    "file descriptors up to the limit": "uses_up(lambda: os.open('/dev/null', 0))",
    "memory": "uses_up(lambda: bytearray(1 << 24))",
    "address space": "limit('RLIMIT_AS', 1 << 28)",
    "data": "limit('RLIMIT_DATA', 1 << 20)",
    "file size": "limit('RLIMIT_FSIZE', 0)",
    "stack": "limit('RLIMIT_STACK', 1 << 16)\n            "
    "f = lambda: f() + 1\n            sys.setrecursionlimit(1 << 30)\n            f()",
    "threads": "threading.Thread.start = lambda self: (_ for _ in ()).throw("
    'RuntimeError("can\'t start new thread"))',
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("resource", USES_UP)
def test_a_target_that_uses_up_a_resource_ends_no_run(attack, resource):
    source = HELPERS + TARGET.format(action=USES_UP[resource])
    limits = ("--memory-limit", "300M", "--time-limit", "3")  # of a text, on an idle machine
    outcome = attack(source, *SELECTED, *limits, seconds=120 * crowding())
    assert outcome.code == 1, outcome.err
    assert "TOK101" in outcome.codes
    assert "internal error" not in outcome.err


STARTED = "threading.Thread(target=threading.Event().wait, daemon=True).start()"
MANY_THREADS = f"[{STARTED} for _ in range(40)].clear()"
"""With few threads the system does not let a process have one, whatever the target does."""


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("error", "what"),
    [
        (f'{MANY_THREADS} or RuntimeError("can\'t start new thread")', "threads"),
        ("OSError(24, 'Too many open files')", "file descriptors"),
        ("OSError(28, 'No space left on device')", "disk space"),
        ("OSError(12, 'Cannot allocate memory')", "memory"),
    ],
)
def test_what_our_own_code_does_not_get_is_named(attack, error, what):
    # Our code fails in the process of the target after this text.
    action = f"""
            import tokharness.engine.worker.batches as batches
            def fails(*_):
                raise {error}
            batches._agrees = fails
"""
    outcome = attack(HELPERS + TARGET.format(action=action), *SELECTED, seconds=90)
    assert outcome.code == 1
    assert "TOK101" in outcome.codes
    (finding,) = [one for one in outcome.findings if one["cause_kind"] == "out of resources"]
    assert finding["verdict"] == "bug"
    assert finding["message"].startswith(f"the target uses up the {what} of its process")


@pytest.mark.nightly
def test_memory_that_is_kept_for_each_text_is_reported(attack):
    source = """
kept = []
class Target(Planted):
    def attack(self, text):
        kept.append(bytearray(2 << 20))
"""
    outcome = attack(source, *SELECTED, "--memory-limit", "300M", seconds=120)
    assert outcome.code == 1
    assert "TOK104" in outcome.codes
    assert "internal error" not in outcome.err


def test_threads_that_are_started_for_each_text_end_no_run(attack):
    source = """
def wait():
    while True:
        time.sleep(100)

class Target(Planted):
    def attack(self, text):
        try:
            threading.Thread(target=wait, daemon=True).start()
        except RuntimeError:
            pass
"""
    outcome = attack(source, *SELECTED, "--memory-limit", "300M", seconds=120)
    assert outcome.code == 1
    assert "internal error" not in outcome.err


def test_processes_that_are_started_for_each_text_end_with_the_run(attack):
    source = """
class Target(Planted):
    count = 0
    def attack(self, text):
        self.count += 1
        if self.count % 20 == 0:
            if not os.fork():
                time.sleep(1000)
"""
    outcome = attack(source, *SELECTED, seconds=120)
    assert outcome.code == 1
    assert "TOK101" in outcome.codes


def test_files_that_a_target_leaves_open_end_no_run(attack):
    source = """
kept = []
class Target(Planted):
    def attack(self, text):
        try:
            kept.append(open("/dev/null"))
        except OSError:
            pass
"""
    outcome = attack(source, *SELECTED, seconds=120)
    assert outcome.code == 1
    assert "TOK101" in outcome.codes


FAILS_EVERYTHING = """
class Target:
    n_vocab = 2

    def encode(self, text):
        return [1]

    def decode(self, ids):
        return ""

    def encode_bytes(self, data):
        return [0]

    def count(self, text):
        return 2
"""

MAX_KILOBYTES = 200_000


@pytest.mark.nightly
def test_the_command_keeps_little_of_a_million_failing_texts(tmp_path):
    path = tmp_path / "adversary.py"
    path.write_text(FAILS_EVERYTHING, encoding="utf-8")
    command = [sys.executable, "-m", "tokharness", "check", f"python:{path}:Target"]
    command += ["--select", "TOK101,TOK103,TOK105,TOK110", "--jobs", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    most = 0
    while process.poll() is None:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        peaks = [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
        most = max([most, *peaks])
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    out, _ = process.communicate()
    assert process.returncode == 1
    assert re.search(r"diagnosis of 1,\d{3},\d{3} texts", out.replace("\n", " "))
    assert 0 < most < MAX_KILOBYTES
