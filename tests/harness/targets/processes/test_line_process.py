"""Requests, responses, time limits and the end of a process that speaks lines."""

import os
import signal
import sys
import time

import pytest

from tokharness.errors import TargetDeath
from tokharness.targets.processes.limits import LINUX, Limits, exit_reason
from tokharness.targets.processes.line_process import LineProcess

PLENTY = 1 << 30
ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"


@pytest.fixture
def start_process():
    processes = []

    def start(code, memory=PLENTY):
        processes.append(LineProcess([sys.executable, "-c", code], memory=memory))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()


def test_responses_come_in_order(start_process):
    process = start_process(ECHO)
    assert [process.call(word + b"\n", 30) for word in (b"ab", b"cd")] == [b"ba", b"dc"]


def test_a_request_and_a_response_may_have_a_megabyte(start_process):
    process = start_process(ECHO)
    assert process.call(b"ab" * 500_000 + b"\n", 30) == b"ba" * 500_000


def test_a_program_may_write_before_it_reads(start_process):
    code = "import sys\nprint('x' * 1_000_000, flush=True)\nsys.stdin.readline()\nprint('y')"
    process = start_process(code)
    assert len(process.call(b"ab" * 500_000 + b"\n", 30)) == 1_000_000
    assert process.receive(30) == b"y"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os; os.abort()", "SIGABRT"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("raise SystemExit(3)", "exit code 3"),
        ("pass", "exit code 0"),
        ("import time; time.sleep(1000)", "time limit"),
        ("import os, time; os.close(1); time.sleep(1000)", "exit code 0"),
        ("import signal; signal.setitimer(0, 0.01); signal.pause()", "time limit"),
    ],
)
def test_a_death_has_the_reason(start_process, code, reason):
    with pytest.raises(TargetDeath) as died:
        start_process(code).call(b"{}\n", 2)
    assert died.value.reason == reason


def test_a_death_has_the_last_line_of_standard_error(start_process):
    code = "import sys\nsys.stdin.readline()\nsys.exit('first\\nthe table is too short')"
    with pytest.raises(TargetDeath) as died:
        start_process(code).call(b"{}\n", 30)
    assert died.value.detail == "the table is too short"


def test_standard_error_from_before_the_request_is_ignored(start_process):
    code = (
        "import os, sys\n"
        "for line in sys.stdin:\n"
        "    if line == 'die\\n': os._exit(1)\n"
        "    sys.stderr.write('old\\n'); sys.stderr.flush(); print(flush=True)"
    )
    process = start_process(code)
    process.call(b"live\n", 30)
    with pytest.raises(TargetDeath) as died:
        process.call(b"die\n", 30)
    assert died.value.detail == ""


def test_kill_ends_the_children(start_process):
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        "print(child.pid, flush=True)\n"
        "child.wait()"
    )
    process = start_process(code)
    child = int(process.receive(30))
    process.kill()
    for _ in range(500):  # the kernel takes a moment
        if not alive(child):
            break
        time.sleep(0.01)
    assert not alive(child)


def alive(pid):
    """Whether a process runs; a zombie has ended."""
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_kill_twice_does_nothing(start_process):
    process = start_process(ECHO)
    process.kill()
    process.kill()


@pytest.mark.skipif(not LINUX, reason="the memory limit needs Linux")
def test_allocations_fail_above_the_memory_limit_only(start_process):
    code = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    try: bytes(int(line)); print('ok', flush=True)\n"
        "    except MemoryError: print('refused', flush=True)"
    )
    process = start_process(code, memory=256 << 20)
    process.call(b"1\n", 30)  # wait until it is ready
    process.reset_memory_limit()
    responses = [process.call(b"%d\n" % (mega << 20), 30) for mega in (200, 300, 200)]
    assert responses == [b"ok", b"refused", b"ok"]


def test_a_missing_program_raises_os_error():
    with pytest.raises(FileNotFoundError):
        LineProcess(["/no/such/program"], memory=PLENTY)


@pytest.mark.parametrize(
    ("code", "name"),
    [(0, "exit code 0"), (-signal.SIGBUS, "SIGBUS"), (-signal.SIGALRM, "time limit")],
)
def test_an_exit_code_has_the_name_of_its_signal(code, name):
    assert exit_reason(code) == name


def test_a_real_time_signal_has_a_number():
    assert exit_reason(-(signal.SIGRTMIN + 1)) == f"signal {signal.SIGRTMIN + 1}"


def test_long_texts_get_more_time():
    limits = Limits(seconds=5.0)
    assert limits.seconds_for(0) == 5.0
    assert limits.seconds_for(1_000_000) == 25.0


def test_the_process_has_its_own_session(start_process):
    process = start_process(ECHO)
    assert os.getsid(process.pid) == process.pid != os.getsid(0)
