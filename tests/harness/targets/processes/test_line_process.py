"""Requests, responses, time limits and the end of a process that speaks lines."""

import math
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

    def start(code, memory=PLENTY, **options):
        processes.append(LineProcess([sys.executable, "-c", code], memory=memory, **options))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()


def test_responses_come_in_order(start_process):
    process = start_process(ECHO)
    assert [process.call(word + b"\n", 30) for word in (b"ab", b"cd")] == [b"ba", b"dc"]


def test_a_process_that_ends_before_its_first_request_has_its_message(start_process):
    process = start_process("raise SystemExit('no model')")
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    with pytest.raises(TargetDeath) as caught:
        process.call(b"a\n", 30)
    assert (caught.value.reason, caught.value.detail) == ("exit code 1", "no model")


def test_a_request_and_a_response_may_have_a_megabyte(start_process):
    process = start_process(ECHO)
    assert process.call(b"ab" * 500_000 + b"\n", 30) == b"ba" * 500_000


def test_a_program_may_write_before_it_reads(start_process):
    code = "import sys\nprint('x' * 1_000_000, flush=True)\nsys.stdin.readline()\nprint('y')"
    process = start_process(code)
    assert len(process.call(b"ab" * 500_000 + b"\n", 30)) == 1_000_000
    assert process.receive(30) == b"y"


def test_what_a_process_wrote_before_it_ended_is_read(start_process):
    process = start_process("print('hello')")
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert process.call(b"a\n", 30) == b"hello"


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


@pytest.mark.parametrize(
    ("loads", "line", "reason"),
    [
        (True, "memory allocation of 9 bytes failed", "memory limit"),
        (True, "  what():  std::bad_alloc", "memory limit"),
        (True, "assertion failed", "SIGABRT"),
        (False, "memory allocation of 9 bytes failed", "SIGABRT"),
    ],
)
def test_a_process_that_gets_no_memory_to_load_exceeds_its_limit(
    start_process, loads, line, reason
):
    code = f"import os, sys\nsys.stderr.write({line!r})\nsys.stderr.flush()\nos.abort()"
    process = start_process(code, load_seconds=60.0 if loads else None)
    with pytest.raises(TargetDeath) as death:
        process.receive(30)
    assert death.value.reason == reason


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


CHILD_HOLDS_THE_PIPE = """
import os, sys, time
if not os.fork():
    time.sleep(1000)
{}
os._exit(3)
"""


def test_an_end_is_seen_while_a_child_holds_the_pipe(start_process):
    with pytest.raises(TargetDeath, match="exit code 3"):
        start_process(CHILD_HOLDS_THE_PIPE.format("")).receive(60)


def test_a_response_of_a_process_that_ended_is_read_whole(start_process):
    code = CHILD_HOLDS_THE_PIPE.format("print('x' * 3_000_000, flush=True)")
    assert len(start_process(code).receive(60)) == 3_000_000


def test_a_response_without_end_is_nonsense(start_process, monkeypatch):
    monkeypatch.setattr("tokharness.targets.processes.line_process.MAX_LINE", 1 << 20)
    process = start_process("while True: print('x' * 100_000, end='')")
    with pytest.raises(TargetDeath, match="nonsense: it answered with more than 1 MB: xxx"):
        process.receive(60)


def test_a_stopped_process_is_killed(start_process, monkeypatch):
    monkeypatch.setattr("tokharness.targets.processes.line_process.STOPPED_SECONDS", 0)
    process = start_process("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
    with pytest.raises(TargetDeath) as died:
        process.receive(60)
    assert died.value.reason == "SIGSTOP"


def test_printing_without_end_does_not_keep_a_process_from_responding(start_process):
    code = "import sys\nfor line in sys.stdin: sys.stderr.write('y' * 5_000_000); print(flush=True)"
    process = start_process(code)
    assert process.call(b"a\n", 60) == b""
    process.errors.read()  # the last of it may still be in the pipe
    assert process.errors.size == 5_000_000


@pytest.fixture
def internal_process():
    processes = []

    def start(code):
        argv = [sys.executable, "-c", code]
        processes.append(LineProcess(argv, memory=PLENTY, internal=True))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()


STREAMS = """
import os
from tokharness.targets.processes.streams import ProtocolStreams
streams = ProtocolStreams()
for line in streams.requests():
    {}
    streams.write("ours")
"""


def test_a_line_with_the_nonce_is_a_response(internal_process):
    assert internal_process(STREAMS.format("pass")).call(b"a\n", 60) == b'"ours"'


@pytest.mark.parametrize(
    "written", ['os.write(fd, b"theirs\\n")', 'os.write(fd, b"0" * 32 + b" theirs\\n")']
)
def test_a_line_without_the_nonce_is_nonsense(internal_process, written):
    code = STREAMS.format(f"fd = streams._output; {written}")
    with pytest.raises(TargetDeath, match="a line that is not of the protocol"):
        internal_process(code).call(b"a\n", 60)


def test_the_descriptors_of_the_protocol_have_high_numbers(internal_process):
    code = STREAMS.format("os.closerange(0, 100)")
    assert internal_process(code).call(b"a\n", 60) == b'"ours"'


def test_a_fork_of_the_target_does_not_respond(internal_process):
    process = internal_process(STREAMS.format("os.fork()"))
    assert [process.call(b"a\n", 60) for _ in range(2)] == [b'"ours"'] * 2
    assert process.buffered_line() is None


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


@pytest.mark.parametrize(("load", "times"), [(0.5, 1.0), (6.0, 3.0), (90.0, 4.0)])
def test_long_texts_get_more_time_and_all_do_on_a_busy_machine(monkeypatch, load, times):
    monkeypatch.setattr("tokharness.targets.processes.deadlines._crowding_until", -math.inf)
    monkeypatch.setattr("tokharness.targets.processes.deadlines._waiting_factor", lambda _: 1.0)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    limits = Limits(seconds=5.0)
    assert limits.seconds_for(0) == 5.0 * times
    assert limits.seconds_for(1_000_000) == 25.0 * times


def test_the_process_has_its_own_session(start_process):
    process = start_process(ECHO)
    assert os.getsid(process.pid) == process.pid != os.getsid(0)
