"""Signals, which a run defers until it waits."""

import os
import signal
import subprocess
import sys

import pytest

from tokharness import interrupts

# Each program gets its signals from itself, so no moment depends on a clock.
PROGRAM = """
import os, signal, sys, time
from tokharness import interrupts
interrupts.handle_signals()
send = lambda number=signal.SIGINT: os.kill(os.getpid(), number)
def say(word):
    print(word, flush=True)
"""
AGAIN = "time.sleep(2 * interrupts.SAME_SECONDS)\nsend()\n"


def run(source, **options):
    argv = [sys.executable, "-c", PROGRAM + source]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=100, **options)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_before_a_run_a_signal_ends_the_process_at_once(name):
    ended = run(f"try:\n    send(signal.{name})\nfinally:\n    say('here')")
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr == "tokharness: interrupted\n"


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_in_a_run_the_first_signal_interrupts_only_what_waits(name):
    source = f"""
interrupts.defer()
send(signal.{name})
say("computed")
try:
    with interrupts.interruptible():
        say("waited")
except KeyboardInterrupt:
    say("interrupted")
with interrupts.interruptible():
    say(interrupts.was_interrupted())
"""
    ended = run(source)
    assert ended.stdout.split() == ["computed", "interrupted", "True"]
    assert ended.returncode == 0


def test_a_signal_while_it_waits_interrupts_at_once():
    source = """
interrupts.defer()
try:
    with interrupts.interruptible():
        send()
        say("waited")
except KeyboardInterrupt:
    say("interrupted")
"""
    assert run(source).stdout.split() == ["interrupted"]


def test_a_wait_within_a_wait_leaves_the_outer_one_interruptible():
    source = """
interrupts.defer()
try:
    with interrupts.interruptible():
        with interrupts.interruptible():
            pass
        send()
        say("waited")
except KeyboardInterrupt:
    say("interrupted")
"""
    assert run(source).stdout.split() == ["interrupted"]


@pytest.mark.parametrize(
    "state", ["", "try:\n    interrupts.interruptible().__enter__()\nexcept BaseException: pass\n"]
)
def test_a_second_signal_ends_the_process_at_once(state, tmp_path):
    source = f"""
interrupts.register({str(tmp_path / "temporary")!r})
interrupts.register({str(tmp_path / "none")!r})
open({str(tmp_path / "temporary")!r}, "w").close()
interrupts.defer()
send()
{state}{AGAIN}say("here")
"""
    ended = run(source)
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr == "tokharness: interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_follows_at_once_is_the_same_one():
    ended = run("interrupts.SAME_SECONDS = 60\ninterrupts.defer()\nsend()\nsend()\nsay('here')")
    assert ended.stdout == "here\n"


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP", "SIGTERM"])
def test_a_signal_that_is_ignored_from_the_start_stays_ignored(name):
    ended = run(
        f"send(signal.{name})\nsay('here')",
        preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_IGN),
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "here\n", "")


def test_the_process_ends_without_an_error_output():
    ended = run("os.close(2)\nsend()")
    assert ended.returncode == 130


def test_without_handlers_nothing_changes(monkeypatch):
    monkeypatch.setattr(interrupts, "_state", interrupts._State())
    interrupts.defer()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    assert not interrupts.was_interrupted()
