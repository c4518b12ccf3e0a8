"""A command that waits for a target says what it does: every ten seconds, here far more often."""

import os
import threading
from pathlib import Path

import pytest

from tokharness.cli import _progress

pytestmark = pytest.mark.slow

SECONDS = 60
"""A watchdog."""

ADVERSARIES = Path(__file__).parent
INTERVAL = _progress.SECONDS
OFTEN = "import tokharness.cli._progress\ntokharness.cli._progress.SECONDS = 0.05\n"
TARGET = """
class Target(Planted):
    def attack(self, text):
        {attack}
"""
HANG = "time.sleep(1000)"
LATER = f"len(text) > 12 and {HANG}"  # not on the first texts, which may be measured
WORDS = ("--profile", "quick", "--family", "zero-width,emoji", "--jobs", "1")
LONG = ("--time-limit", "300")
NAME = "python:adversary.py:Target"


@pytest.fixture
def hears(start, tmp_path):
    """Return whether a command says this before a watchdog ends it."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(OFTEN)

    def hears_words(words, *arguments, source=""):
        (tmp_path / "adversary.py").write_text(f"from faulty import *\n{source}", encoding="utf-8")
        path = f"{tmp_path / 'site'}{os.pathsep}{ADVERSARIES}"
        started = start(*arguments, PYTHONPATH=path)
        watchdog = threading.Timer(SECONDS, started.kill)
        watchdog.start()
        try:
            lines = (line.decode() for line in started.popen.stderr)
            return any(words in line and line.startswith("tokharness: ") for line in lines)
        finally:
            watchdog.cancel()
            started.kill()
            started.popen.communicate()  # closes the pipes

    return hears_words


def test_the_interval_is_ten_seconds():
    assert INTERVAL == 10


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    "command",
    [("check",), ("gate", "reference", "--against"), ("baseline",)],
    ids=lambda one: one[0],
)
@pytest.mark.parametrize(
    ("words", "source"),
    [
        (f"s: loading {NAME}", HANG),
        (f"s: {NAME}: families left: zero-width", TARGET.format(attack=LATER)),
        ("cases; families left: emoji", TARGET.format(attack=f"'\\U0001f600' in text and {HANG}")),
    ],
    ids=["load", "first unit", "later unit"],
)
def test_it_is_said_what_is_waited_for(hears, command, words, source):
    assert hears(words, *command, NAME, *WORDS, *LONG, source=source)


def test_a_diagnosis_that_takes_long_is_said(hears):
    source = TARGET.format(attack="'\\u200b' in text and self.hang(text)")
    source += f"""
    def hang(self, text):
        Target.texts.append(text)
        if Target.texts.count(text) > 3:
            {HANG}
    texts = []
"""
    assert hears("diagnosing", "check", NAME, *WORDS, *LONG, "--select", "TOK101", source=source)


def test_a_target_in_the_process_of_the_command_is_said(hears):
    source = TARGET.format(attack=LATER)
    words = (*WORDS[:-1], "0", *LONG)
    assert hears(f"{NAME}: families left: zero-width", "check", NAME, *words, source=source)


@pytest.mark.parametrize(
    ("command", "words"), [("fuzz", "fuzzing"), ("compare", "measuring")], ids=["fuzz", "compare"]
)
def test_what_is_no_check_is_said_too(hears, command, words):
    hang = TARGET.format(attack=f"len(text) > 50 and {HANG}")
    assert hears(f"{NAME}: {words}", command, NAME, *LONG, "--jobs", "1", source=hang)


def test_a_program_that_does_not_answer_is_said(hears):
    assert hears("command:sleep 1000", "check", "command:sleep 1000", *WORDS, *LONG)


def test_a_training_is_said(hears, tmp_path):
    os.mkfifo(tmp_path / "corpus.txt")
    words = ("--vocab-size", "400", "--out", "out.tiktoken", "--jobs", "1")
    with (tmp_path / "corpus.txt").open("r+b", buffering=0):  # nothing is written, and no end
        assert hears("s: reading: 0.0 MB", "train", "corpus.txt", *words)


def test_a_hostile_name_is_escaped(hears, tmp_path):
    (tmp_path / "a\u202e\x1b.py").write_text("import time; time.sleep(1000)", encoding="utf-8")
    shown = "s: loading python:a\\u{202e}\\u{1b}.py:Target"
    assert hears(shown, "check", "python:a\u202e\x1b.py:Target", *WORDS)
