"""Tests that need a separate process: pipes, encodings, signals, start-up."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TOKHARNESS = (sys.executable, "-c", "from tokharness.__main__ import main; main()")
PROGRAM = "import os; os.environ['COMMAND'] = str(os.getpid());"
COMMAND = (sys.executable, "-c", f"{PROGRAM}from tokharness.__main__ import main; main()")
"""The same, with its process id in the environment of its workers."""

HANGS = """
import os, pathlib, signal
SENT = pathlib.Path(__file__).with_name("sent")  # a second signal ends the command at once
class Target:
    def encode(self, text):
        if "\\u2189" in text and not SENT.exists():
            SENT.touch()
            os.kill(int(os.environ["COMMAND"]), signal.SIGINT)
        while "\\u00bd" in text or "\\u2189" in text:
            pass
        return list(text.replace("0", "").encode("utf-8", "surrogatepass"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "surrogatepass")
"""
FEW = ("--family", "digits", "--profile", "quick", "--select", "TOK101")
CHECK = (*TOKHARNESS, "check", "tiktoken:embedded", *FEW)
HEAVY = {"regex", "hypothesis", "rich", "tiktoken", "babel", "unicodedata2", "emoji", "jinja2"}
WAITS = """
import os, pathlib, time
class Target:
    def encode(self, text):
        if text == "1000":
            temporary = pathlib.Path({mark!r} + ".new")
            temporary.write_text(str(os.getpid()))
            temporary.rename({mark!r})
            time.sleep(60)
        return list(text.replace("'", "").encode())
    def decode(self, ids):
        return bytes(ids).decode()
"""
HELP = """
import sys
from tokharness.cli import main
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def until(happened):
    """Wait until a condition holds, for a minute at most."""
    last = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < last
        time.sleep(0.01)


def test_help_imports_nothing_heavy(process):
    outcome = process(sys.executable, "-c", HELP, "--help", text=True)
    assert outcome.returncode == 0
    assert "Usage: tokharness" in outcome.stdout
    assert HEAVY.isdisjoint(outcome.stderr.split())


def test_a_closed_pipe_gets_no_traceback(process):
    words = " ".join(f"'{word}'" for word in (*TOKHARNESS, "list", "families"))
    piped = process("/bin/sh", "-c", f"{words} | head -1", text=True)
    assert piped.stdout.count("\n") == 1
    assert re.sub(r"tokharness: \d+ s: .*\n", "", piped.stderr) == ""


def test_a_closed_pipe_exits_with_141(process):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        outcome = process(
            *TOKHARNESS,
            "explain",
            "TOK101",
            capture_output=False,
            stdout=closed,
            stderr=subprocess.PIPE,
        )
    assert outcome.returncode == 141
    assert re.sub(rb"tokharness: \d+ s: .*\n", b"", outcome.stderr) == b""


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_standard_stream_that_is_closed_changes_no_exit_code(process, tmp_path, closed):
    words = " ".join(f"'{word}'" for word in (*CHECK, "--report", f"json={tmp_path / 'r.json'}"))
    outcome = process("/bin/sh", "-c", f"{words} {closed}", text=True)
    assert outcome.returncode == 0, outcome.stderr
    assert "Error" not in outcome.stderr
    assert (tmp_path / "r.json").stat().st_size


def test_a_python_without_docstrings_is_a_mistake(process):
    outcome = process(sys.executable, "-OO", *TOKHARNESS[1:], "list", "checks", text=True)
    assert outcome.returncode == 2
    assert "without -OO" in outcome.stderr


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_output_encoding_works(process, encoding):
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    outcome = process(*TOKHARNESS, "show", "--json", '"\\u4e2d\\ud800"', env=environment)
    assert outcome.returncode == 0
    assert re.sub(rb"tokharness: \d+ s: .*\n", b"", outcome.stderr) == b""
    assert b"U+4E2D" in outcome.stdout


def test_without_a_terminal_there_is_no_color_and_no_progress_bar(process):
    outcome = process(*CHECK)
    assert outcome.returncode == 0
    assert b"\x1b" not in outcome.stdout + outcome.stderr


def terminal_output(environment):
    """Return the standard output of the command on a terminal."""
    import pty

    mine, theirs = pty.openpty()
    words = [*CHECK, "--jobs", "0"]
    with subprocess.Popen(words, stdout=theirs, stderr=subprocess.DEVNULL, env=environment) as run:
        os.close(theirs)
        pieces = []
        while True:
            try:
                piece = os.read(mine, 4096)
            except OSError:  # Linux says so when the other end is closed
                break
            if not piece:
                break
            pieces.append(piece)
        run.wait(timeout=60)
    os.close(mine)
    return b"".join(pieces)


@pytest.mark.slow(every=3)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(
    ("variable", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_a_terminal_gets_color_unless_disabled(variable, colored):
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    output = terminal_output({**kept, "TERM": "xterm", **variable})
    assert b"passed" in output
    assert (b"\x1b[" in output) is colored


def test_a_run_writes_nothing_to_the_working_directory(process, tmp_path):
    process(*CHECK)
    assert list(tmp_path.iterdir()) == []


def start(tmp_path, source, words):
    """Start a check of a target, in a process that a SIGINT interrupts."""
    path = tmp_path / "target.py"
    path.write_text(source)
    return subprocess.Popen(
        [*COMMAND, "check", f"python:{path}:Target", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell that starts this in the background has SIGINT ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_an_interrupted_process_exits_with_130_and_no_traceback(tmp_path):
    mark = tmp_path / "mark"
    words = ("--family", "contractions,digits", "--select", "TOK101", "--jobs", "1")
    with start(tmp_path, WAITS.format(mark=str(mark)), words) as run:
        until(mark.exists)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 130
    assert b"Traceback" not in err
    assert b"interrupted" in out
    assert b"family digits: the run was interrupted" in out
    assert b"dropped characters" in out  # the findings so far
    assert not Path(f"/proc/{mark.read_text()}").exists()  # the worker


def test_a_run_interrupted_after_a_crash_reports_its_findings(tmp_path):
    checks = "TOK101,TOK104"
    words = ("--family", "digits", "--select", checks, "--jobs", "1", "--time-limit", "1")
    with start(tmp_path, HANGS, words) as run:  # the target sends the signal
        out, err = run.communicate(timeout=120)
    assert run.returncode == 130
    assert b"Traceback" not in err
    assert b"skip    family digits" in out
    assert b"TOK104 crashes-or-hangs" in out  # diagnosed or not: there are a few seconds for it
    assert b"TOK101 lossy-round-trip" in out


def test_an_output_that_takes_a_part_alone_is_one_sentence(process, tmp_path):
    with (tmp_path / "out").open("wb") as out:
        # -B: a compiled module would be cut, too
        limit = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (1000, 1000));"
        outcome = process(
            *(sys.executable, "-uB", "-c", f"{limit}{TOKHARNESS[2]}", "list", "checks"),
            capture_output=False,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert outcome.returncode == 2
    assert len(outcome.stderr.splitlines()) == 1
    assert "File too large" in outcome.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_one_sentence(process):
    with Path("/dev/full").open("w") as full:
        outcome = process(
            *TOKHARNESS,
            "list",
            "formats",
            capture_output=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert outcome.returncode == 2
    assert len(outcome.stderr.splitlines()) == 1
    assert "No space left" in outcome.stderr
