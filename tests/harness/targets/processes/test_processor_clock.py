"""The processor time of a process with the processes that it has started."""

import subprocess
import sys
import time

import pytest

from tokharness.targets.processes.limits import LINUX, processor_clock

WORK = """
import time
for seconds in iter(input, ""):
    end = time.process_time() + float(seconds)
    while time.process_time() < end:
        pass
    print(flush=True)
"""


@pytest.fixture
def work():
    """A function that has another process use so many seconds of a processor."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", WORK], **pipes) as process:

        def work(seconds):
            print(seconds, file=process.stdin, flush=True)
            process.stdout.readline()

        work(0)  # it has started
        yield work
        print(file=process.stdin, flush=True)


@pytest.mark.skipif(not LINUX, reason="other systems have no clock of another process")
def test_the_work_of_a_started_process_counts_exactly(work):
    clock = processor_clock(with_descendants=True)
    before = clock()
    work(0.013)
    assert clock() - before >= 0.013


@pytest.mark.slow
def test_a_started_process_counts_only_if_wanted(work):
    clock = processor_clock(with_descendants=False)
    before = clock()
    work(0.3)
    assert clock() - before < 0.2


@pytest.mark.skipif(not LINUX, reason="other systems have no clock of another process")
def test_the_work_of_a_process_that_has_ended_stays_counted():
    clock = processor_clock(with_descendants=True)
    before = clock()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", WORK], **pipes) as process:
        print(0.02, file=process.stdin, flush=True)
        process.stdout.readline()
        clock()
        print(file=process.stdin, flush=True)
    assert clock() - before >= 0.02


@pytest.mark.skipif(not LINUX, reason="other systems have no clock of another process")
def test_the_clock_does_not_count_itself(work):
    clock = processor_clock(with_descendants=True)
    start, first = time.process_time(), clock()
    for _ in range(200):
        last = clock()
    assert last - first < (time.process_time() - start) / 2
