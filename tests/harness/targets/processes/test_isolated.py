"""What runs in a copy of this process ends at its limits, and says what it returns or raises."""

import subprocess
import sys

import pytest

SCRIPT = """
from itertools import count
from tokharness.errors import UnknownNameError
from tokharness.targets.processes import isolated

isolated.MEMORY = 100 << 20

def hangs():
    for _ in count():
        pass

def takes_memory():
    held = []
    while True:
        held.append(bytearray(10 << 20))

def raises():
    raise UnknownNameError("vocabulary", "x", ["y"])

for function in (hangs, takes_memory, raises, lambda: str(1 / 0), lambda: "\\udc80 shown"):
    seconds = 0.3 if function is hangs else 60
    try:
        print(ascii(isolated.isolated(function, ["reference:FILE"], seconds=seconds)))
    except Exception as error:
        print(type(error).__name__, error, *getattr(error, "__notes__", ()))
"""


@pytest.fixture(scope="module")
def lines():
    # A process of its own: this one has threads, and cannot be copied.
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True, text=True)
    return run.stdout


@pytest.mark.parametrize(
    "line",
    [
        "TargetError reference:FILE: our own code takes more than 0.3 seconds of the processor",
        "UnknownNameError no vocabulary is called 'x'",
        "InternalError ZeroDivisionError: division by zero Traceback",
        "'\\udc80 shown'",
    ],
)
def test_the_copy_ends_and_says_why(lines, line):
    assert line in lines


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_the_copy_takes_no_more_memory_than_its_limit(lines):
    assert "TargetError reference:FILE: our own code takes more than 100 MB of memory" in lines


def test_a_process_with_threads_is_not_copied(monkeypatch):
    from tokharness.targets.processes import isolated

    monkeypatch.setattr(isolated.threading, "active_count", lambda: 2)
    monkeypatch.setattr(isolated.os, "fork", None)
    assert isolated.isolated(lambda: "shown", ["reference:FILE"]) == "shown"
