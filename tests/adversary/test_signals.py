"""Signals at any moment end the command in good order: with a report, once a run has begun.

Where it can, the target sends the signal itself, so that the moment does not depend on a clock.
"""

import contextlib
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tokharness.results.untrusted import refuse_invalid

pytestmark = pytest.mark.slow

PLANTED = Path(__file__).parent

SECONDS = 60
"""A watchdog; the command itself promises five seconds."""

SENDS = """
def send(number=signal.SIGTERM, to=os.kill):
    try:
        open("sent", "x").close()
    except FileExistsError:  # a second signal would end the command without a report
        return
    to(os.getppid(), number)

class Sends(Planted):
    count = 0

    def attack(self, text):
        Sends.count += 1
        if Sends.count == self.moment:
            send()
"""
HANGS = """
class Target(Planted):
    def attack(self, text):
        if len(text) > 3:
            open("hangs", "w").close()
            while True:
                pass
"""
WORDS = ("--profile", "quick", "--family", "zero-width,digits", "--select", "TOK101", "--jobs", "1")


@pytest.fixture
def begin(start, tmp_path):
    """Start a command for the target of a source."""

    def begin_command(source, *words, command="check", report=True, **environment):
        (tmp_path / "adversary.py").write_text(f"from faulty import *\n{source}", encoding="utf-8")
        target = "python:adversary.py:Target"
        reports = ("--report", f"json={tmp_path / 'report.json'}") if report else ()
        # Hypothesis caches its tables of characters, by default where a file must not be left.
        environment.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(tmp_path / "hypothesis"))
        return start(command, target, *words, *reports, **environment)

    return begin_command


def until(happened, started):
    """Wait until something has happened while the command runs."""
    last = time.monotonic() + SECONDS
    while not happened():
        assert started.popen.poll() is None, started.popen.communicate()
        assert time.monotonic() < last
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.popen.wait(0.01)


def end_at_once(started, number=signal.SIGINT):
    """Send signals until the command has ended, since the first two may be taken for one."""
    last = time.monotonic() + SECONDS
    while started.popen.poll() is None:
        assert time.monotonic() < last
        started.popen.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.popen.wait(0.05)


def assert_interrupted(outcome, *, has_report=True):
    assert outcome.code == 130, outcome
    assert "Traceback" not in outcome.err
    assert "Exception ignored" not in outcome.err
    if has_report:
        assert outcome.report["interrupted"] is True
        refuse_invalid(outcome.report, "report")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("moment", [1, 20, 300, 1000, 1800, 2840])
def test_sigterm_at_any_moment_gives_a_report_each(begin, tmp_path, moment):
    source = f"{SENDS}\nclass Target(Sends):\n    moment = {moment}\n"
    outcome = begin(source, *WORDS).finish(SECONDS)
    assert (tmp_path / "sent").exists()
    assert_interrupted(outcome)
    if moment >= 1800:  # the first family was finished before
        assert "TOK101" in {finding["code"] for finding in outcome.findings}


def test_sigterm_while_the_target_is_loaded_gives_a_report(begin):
    outcome = begin(f"{SENDS}\nsend()\ntime.sleep(30)\n", *WORDS).finish(SECONDS)
    assert_interrupted(outcome)
    assert outcome.report["not_run"] == ["python:adversary.py:Target"]


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP", "SIGTERM"])
@pytest.mark.parametrize("to", ["os.kill", "os.killpg"])
def test_each_signal_to_the_command_or_its_group_gives_a_report(begin, name, to):
    source = SENDS.replace("SIGTERM", name).replace("to=os.kill", f"to={to}")
    source += "\nclass Target(Sends):\n    moment = 600\n"
    assert_interrupted(begin(source, *WORDS).finish(SECONDS))


@pytest.mark.parametrize("words", [("--jobs", "2"), ("--against", "reference")])
def test_the_other_options_of_a_run_make_no_difference(begin, words):
    source = f"{SENDS}\nclass Target(Sends):\n    moment = 600\n"
    assert_interrupted(begin(source, *WORDS, *words).finish(SECONDS))


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    "deaf",
    [
        "",
        "signal.signal(signal.SIGINT, signal.SIG_IGN)",
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())",
        "os.fork() or time.sleep(100)",
        "threading.Thread(target=time.sleep, args=(100,)).start()",
    ],
)
def test_a_target_that_hangs_is_not_waited_for(begin, tmp_path, deaf):
    source = (
        f"{deaf}\n{HANGS}"
        if "fork" not in deaf
        else HANGS.replace("while", f"{deaf}\n            while")
    )
    started = begin(source, *WORDS, "--time-limit", "300")
    until((tmp_path / "hangs").exists, started)
    os.killpg(started.popen.pid, signal.SIGINT)
    outcome = started.finish(SECONDS)
    assert_interrupted(outcome)


def test_a_second_signal_ends_what_follows_the_first(begin, tmp_path):
    source = f"""
{SENDS}
IS_SECOND = os.path.exists("sent")  # the worker that diagnoses what failed until the signal

class Target(Sends):
    moment = 1200

    def attack(self, text):
        super().attack(text)
        while Sends.count > self.moment:
            pass  # the worker does not respond, and is killed
        while IS_SECOND:
            open("hangs", "w").close()
"""
    started = begin(source, *WORDS, "--time-limit", "300")
    until((tmp_path / "hangs").exists, started)
    end_at_once(started)
    outcome = started.finish(SECONDS)
    assert_interrupted(outcome, has_report=False)
    assert outcome.report is None


def test_a_signal_while_the_report_is_written_does_not_cut_it(begin, tmp_path):
    started = begin("class Target(Planted): pass", *WORDS, "--format", "html")
    until((tmp_path / "report.json").exists, started)  # next, the page fills the pipe
    started.popen.send_signal(signal.SIGTERM)
    outcome = started.finish(SECONDS)
    assert outcome.code == 130
    assert outcome.out.rstrip().endswith("</html>")
    assert "TOK101" in outcome.codes
    assert outcome.report["interrupted"] is False


def test_a_second_signal_ends_the_writing_of_a_report(begin, tmp_path):
    started = begin("class Target(Planted): pass", *WORDS, "--format", "html")
    until((tmp_path / "report.json").exists, started)
    end_at_once(started)  # the pipe has no reader, so it ends for no other reason
    outcome = started.finish(SECONDS)
    assert outcome.code == 130
    assert "Traceback" not in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir() if path.name[0] == ".") == []


AT_IMPORT = """
import os, sys

left = int(os.environ.pop("AT_IMPORT", "0"))  # not in the processes that it starts
begun = False

def send_at_import(event, arguments):
    global begun, left
    if event == "import" and begun:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), 2)
    elif event == "import" and arguments[0] == "tokharness":
        begun = True

if left:
    sys.addaudithook(send_at_import)
"""
"""Sends a signal when the command has imported so many modules."""


@pytest.mark.parametrize(
    "imports", [1, 2, 3, 5, 8, 12, 18, 25, 35, 50, 70, 100, 130, 170, 220, 280, 340, 400, 430, 450]
)
def test_ctrl_c_while_the_command_is_imported_prints_no_traceback(begin, tmp_path, imports):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(AT_IMPORT)
    path = f"{folder}{os.pathsep}{PLANTED}"
    started = begin("class Target(Planted): pass", *WORDS, PYTHONPATH=path, AT_IMPORT=str(imports))
    outcome = started.finish(SECONDS)
    assert outcome.code in (130, -signal.SIGINT)
    assert "Traceback" not in outcome.err
    assert "Exception ignored" not in outcome.err
    if outcome.report is not None:
        refuse_invalid(outcome.report, "report")
    assert [one.name for one in tmp_path.iterdir() if one.name[0] == "."] == []


@pytest.mark.parametrize("moment", range(20))
def test_ctrl_c_in_the_first_moments_prints_no_traceback_of_ours(begin, tmp_path, moment):
    started = begin("class Target(Planted): pass", *WORDS)
    with contextlib.suppress(subprocess.TimeoutExpired):
        started.popen.wait(moment / 100)
    os.killpg(started.popen.pid, signal.SIGINT)
    outcome = started.finish(SECONDS)
    assert outcome.code in (130, -signal.SIGINT, 1)
    # Python itself prints one until it runs the first line of the command.
    assert "/tokharness/" not in outcome.err.replace("/tokharness/__init__.py", "")
    assert [one.name for one in tmp_path.iterdir() if one.name[0] == "."] == []


def test_a_campaign_is_reported(begin, tmp_path):
    words = ("--max-time", "10m", "--select", "TOK101", "--jobs", "1", "--profile", "quick")
    source = f"{SENDS}\nclass Target(Sends):\n    moment = 40_000\n"
    outcome = begin(source, *words, command="fuzz").finish(SECONDS)
    assert_interrupted(outcome)
    assert "TOK101" in outcome.codes
    assert (tmp_path / "cases" / "regressions" / "lossy-round-trip.jsonl").exists()


def test_a_campaign_ends_at_once_at_a_second_signal(begin, tmp_path):
    words = ("--max-time", "10m", "--select", "TOK101", "--jobs", "2", "--time-limit", "300")
    started = begin(HANGS, *words, command="fuzz")
    until((tmp_path / "hangs").exists, started)
    end_at_once(started)
    assert_interrupted(started.finish(SECONDS), has_report=False)


def test_a_comparison_is_reported(begin):
    source = f"{SENDS}\nclass Target(Sends):\n    moment = 500\n"
    assert_interrupted(begin(source, "--jobs", "1", command="compare").finish(SECONDS))


def test_a_baseline_is_not_written(begin, tmp_path):
    source = f"{SENDS}\nclass Target(Sends):\n    moment = 600\n"
    assert_interrupted(begin(source, *WORDS, "--name", "one", command="baseline").finish(SECONDS))
    assert not (tmp_path / "reports").exists() or not list((tmp_path / "reports").rglob("*.json"))


def test_a_gate_is_reported(begin):
    healthy = "class Target(Planted): pass"
    assert begin(healthy, *WORDS, "--name", "one", command="baseline").finish(SECONDS).code == 0
    source = f"{SENDS}\nclass Target(Sends):\n    moment = 600\n"
    assert_interrupted(begin(source, *WORDS, "--name", "one", command="gate").finish(SECONDS))


def test_a_gate_is_reported_while_the_incumbent_runs(start, tmp_path):
    (tmp_path / "adversary.py").write_text(
        f"from faulty import *\n{SENDS}\nclass Target(Sends):\n    moment = 600\n"
    )
    report = ("--report", f"json={tmp_path / 'report.json'}")
    words = ("gate", "reference", "--against", "python:adversary.py:Target", *WORDS, *report)
    outcome = start(*words, HYPOTHESIS_STORAGE_DIRECTORY=str(tmp_path)).finish(SECONDS)
    assert_interrupted(outcome)
    assert "reference" in outcome.report["not_run"]


def test_the_tokens_of_a_text_are_not_waited_for(start, tmp_path):
    (tmp_path / "adversary.py").write_text(f"from faulty import *\n{HANGS}", encoding="utf-8")
    started = start("show", "12345", "python:adversary.py:Target")
    until((tmp_path / "hangs").exists, started)
    started.popen.send_signal(signal.SIGINT)
    assert_interrupted(started.finish(SECONDS), has_report=False)


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_training_writes_nothing(tmp_path, start, jobs, number):
    os.mkfifo(tmp_path / "corpus.txt")
    words = ("--vocab-size", "400", "--out", "out.tiktoken", "--jobs", jobs)
    started = start("train", "corpus.txt", *words)
    with (tmp_path / "corpus.txt").open("wb") as corpus:  # opens when the command reads
        corpus.write(b"word " * (1 << 20))
        os.killpg(started.popen.pid, number)
        outcome = started.finish(SECONDS)
    assert_interrupted(outcome, has_report=False)
    assert outcome.err == "tokharness: interrupted\n"
    assert {one.name for one in tmp_path.iterdir()} == {"corpus.txt", "temporary"}


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_a_signal_that_is_ignored_from_the_start_stays_ignored(tmp_path, begin, name):
    source = SENDS.replace("SIGTERM", name) + "\nclass Target(Sends):\n    moment = 600\n"
    number = getattr(signal, name)
    before = signal.signal(number, signal.SIG_IGN)
    try:  # as with nohup, and with & in a shell
        started = begin(source, *WORDS)
    finally:
        signal.signal(number, before)
    outcome = started.finish(SECONDS)
    assert (tmp_path / "sent").exists()
    assert outcome.code == 1
    assert "TOK101" in outcome.codes


def test_a_terminal_that_is_closed_gives_a_report(tmp_path):
    (tmp_path / "adversary.py").write_text(f"from faulty import *\n{HANGS}", encoding="utf-8")
    words = [*WORDS, "--time-limit", "300", "--report", f"json={tmp_path / 'report.json'}"]
    argv = [sys.executable, "-m", "tokharness", "check", "python:adversary.py:Target", *words]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.environ["PYTHONPATH"] = str(PLANTED)
        os.execv(argv[0], argv)  # noqa: S606
    last = time.monotonic() + SECONDS
    while not (tmp_path / "hangs").exists():
        assert time.monotonic() < last
        assert os.read(terminal, 1 << 16)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert (tmp_path / "report.json").exists()
