"""A process is asked in lines, under a deadline, and how it ended is told."""

import os
import signal
import sys
import time

import pytest

from tokharness.errors import TargetDeath
from tokharness.targets.processes.limits import LINUX, Limits, how_ended
from tokharness.targets.processes.line_process import LineProcess

PLENTY = 1 << 30
ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"


@pytest.fixture
def started():
    processes = []

    def start(code, memory=PLENTY):
        processes.append(LineProcess([sys.executable, "-c", code], memory=memory))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()


def test_answers_come_in_order(started):
    process = started(ECHO)
    assert [process.ask(word + b"\n", 30) for word in (b"ab", b"cd")] == [b"ba", b"dc"]


def test_a_question_of_a_megabyte_and_its_answer_pass(started):
    process = started(ECHO)
    assert process.ask(b"ab" * 500_000 + b"\n", 30) == b"ba" * 500_000


def test_a_program_that_writes_before_it_reads_blocks_nobody(started):
    code = "import sys\nprint('x' * 1_000_000, flush=True)\nsys.stdin.readline()\nprint('y')"
    process = started(code)
    assert len(process.ask(b"ab" * 500_000 + b"\n", 30)) == 1_000_000
    assert process.receive(30) == b"y"


@pytest.mark.parametrize(
    ("code", "how"),
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
def test_how_a_process_ended_is_told(started, code, how):
    with pytest.raises(TargetDeath) as died:
        started(code).ask(b"{}\n", 2)
    assert died.value.how == how


def test_the_last_line_of_its_errors_is_told(started):
    code = "import sys\nsys.stdin.readline()\nsys.exit('first\\nthe table is too short')"
    with pytest.raises(TargetDeath) as died:
        started(code).ask(b"{}\n", 30)
    assert died.value.words == "the table is too short"


def test_what_it_wrote_before_it_was_asked_is_not_told(started):
    code = (
        "import os, sys\n"
        "for line in sys.stdin:\n"
        "    if line == 'die\\n': os._exit(1)\n"
        "    sys.stderr.write('of before\\n'); sys.stderr.flush(); print(flush=True)"
    )
    process = started(code)
    process.ask(b"live\n", 30)
    with pytest.raises(TargetDeath) as died:
        process.ask(b"die\n", 30)
    assert died.value.words == ""


def test_killing_takes_the_children_along(started):
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        "print(child.pid, flush=True)\n"
        "child.wait()"
    )
    process = started(code)
    child = int(process.receive(30))
    process.kill()
    for _ in range(500):  # the kernel ends it a moment later
        if not alive(child):
            break
        time.sleep(0.01)
    assert not alive(child)


def alive(pid):
    """Whether a process runs; one that nobody has waited for has ended."""
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_killing_twice_does_no_harm(started):
    process = started(ECHO)
    process.kill()
    process.kill()


@pytest.mark.skipif(not LINUX, reason="the limit of memory is Linux's")
def test_memory_beyond_the_limit_is_refused_and_below_it_is_not(started):
    code = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    try: bytes(int(line)); print('ok', flush=True)\n"
        "    except MemoryError: print('refused', flush=True)"
    )
    process = started(code, memory=256 << 20)
    process.ask(b"1\n", 30)  # it is ready
    process.renew_memory()
    answers = [process.ask(b"%d\n" % (mega << 20), 30) for mega in (200, 300, 200)]
    assert answers == [b"ok", b"refused", b"ok"]


def test_a_program_that_does_not_exist_is_an_os_error():
    with pytest.raises(FileNotFoundError):
        LineProcess(["/no/such/program"], memory=PLENTY)


@pytest.mark.parametrize(
    ("code", "name"),
    [(0, "exit code 0"), (-signal.SIGBUS, "SIGBUS"), (-signal.SIGALRM, "time limit")],
)
def test_a_code_has_the_name_of_its_signal(code, name):
    assert how_ended(code) == name


def test_a_real_time_signal_has_a_number():
    assert how_ended(-(signal.SIGRTMIN + 1)) == f"signal {signal.SIGRTMIN + 1}"


def test_long_texts_have_more_time():
    limits = Limits(seconds=5.0)
    assert limits.seconds_for(0) == 5.0
    assert limits.seconds_for(1_000_000) == 25.0


def test_it_runs_in_a_session_of_its_own(started):
    process = started(ECHO)
    assert os.getsid(process.pid) == process.pid != os.getsid(0)
