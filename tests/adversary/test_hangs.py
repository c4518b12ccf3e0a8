"""A target that hangs, and prevents that it is noticed, is reported within its time limit."""

import pytest

pytestmark = pytest.mark.slow

CHILD_HOLDS_THE_PIPE = """
class Target(Planted):
    def attack(self, text):
        if "\\u200d" in text:
            if not os.fork():
                time.sleep(1000)
            {ending}
"""

DEFIANT = """
def is_file(fd):
    try:
        os.ftruncate(fd, os.fstat(fd).st_size)
    except OSError:
        return False
    return True

class Target(Planted):
    def attack(self, text):
        if "\\u200d\\u200d" in text:
            {trick}
            while True:
                time.sleep(1)
"""

TRICKS = {
    "handles the alarm": "signal.signal(signal.SIGALRM, lambda *_: None)",
    "blocks all signals": "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())",
    "holds the interpreter": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()); "
        "ctypes.PyDLL(None).pause()"
    ),
    "empties our files": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()); "
        "[os.ftruncate(int(fd), 0) for fd in os.listdir('/proc/self/fd') if is_file(int(fd))]"
    ),
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("trick", TRICKS)
def test_a_target_that_prevents_its_alarm_hangs_no_longer_than_its_limit(attack, trick):
    outcome = attack(DEFIANT.format(trick=TRICKS[trick]), "--time-limit", "1", seconds=90)
    assert outcome.code == 1
    assert {"TOK101", "TOK104"} <= outcome.codes
    (death,) = [finding for finding in outcome.findings if finding["code"] == "TOK104"]
    assert death["cause"].startswith("hang")
    assert death["text"] == "\u200d\u200d"


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        ("os._exit(3)", "exit code 3"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
    ],
)
def test_a_death_is_seen_while_a_child_of_the_target_holds_the_pipe(attack, ending, reason):
    outcome = attack(CHILD_HOLDS_THE_PIPE.format(ending=ending), seconds=90)
    assert outcome.code == 1
    assert {"TOK101", "TOK104"} <= outcome.codes
    (death,) = [finding for finding in outcome.findings if finding["code"] == "TOK104"]
    assert reason in death["message"]
    assert death["text"] == "\u200d"


def test_a_thread_that_keeps_the_interpreter_to_itself_is_a_hang(attack):
    source = """
class Target(Planted):
    def attack(self, text):
        if "\\u200d" in text:
            threading.Thread(target=ctypes.PyDLL(None).pause, daemon=True).start()
"""
    outcome = attack(source, "--time-limit", "1", seconds=90)
    assert outcome.code == 1
    assert {"TOK101", "TOK104"} <= outcome.codes


def test_children_in_sessions_of_their_own_end_with_the_run(attack):
    source = """
if not os.fork():
    os.setsid()
    if not os.fork():
        time.sleep(1000)
    os._exit(0)
"""
    assert attack(source).codes == {"TOK101"}


def test_children_of_the_target_end_when_the_command_is_killed(start, tmp_path):
    source = """
from faulty import *
class Target(Planted):
    def attack(self, text):
        if "\\u200d" in text and not os.path.exists("forked"):
            if not os.fork():
                os.setsid()
                open("forked", "w").close()
                time.sleep(1000)
        if "\\u200d" in text:
            time.sleep(1000)
"""
    (tmp_path / "adversary.py").write_text(source, encoding="utf-8")
    process = start("check", "python:adversary.py:Target", "--family", "zero-width")
    while not (tmp_path / "forked").exists():
        assert process.popen.poll() is None
    process.popen.kill()
    process.popen.wait()
    assert not process.processes_left()
