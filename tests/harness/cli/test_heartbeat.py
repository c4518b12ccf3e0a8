"""What is said of a run while it lasts. No test waits for a clock."""

import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tokharness.cli import _progress
from tokharness.cli._progress import (
    Status,
    heartbeat,
    optional_output,
    say,
    show_progress,
    training_bar,
)
from tokharness.config import Options
from tokharness.engine.events import (
    FamilyFinished,
    FindingReported,
    RoundFinished,
    ShardScanned,
    SlowTarget,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.model import Cause, Finding

WAIT = 60  # seconds of a watchdog
SPEC = "command:./x\x1b"
SHOWN = "command:./x\\u{1b}"
FAMILIES = ("digits", "emoji", "code", "zero-width", "scripts")
STARTED = TargetStarted(SPEC, None, (), None, None, FAMILIES, ())


def unit(family, number=0, units=1, cases=600):
    return UnitFinished(SPEC, family, number, units, cases, {}, 0.1)


@pytest.fixture
def said(monkeypatch):
    """Return a function that waits until a line that has a text is said."""
    lines, changed = [], threading.Condition()

    def hear(line):
        with changed:
            lines.append(line)
            changed.notify()

    def wait_for(text):
        with changed:
            assert changed.wait_for(lambda: any(text in line for line in lines), WAIT), lines
        return next(line for line in lines if text in line)

    monkeypatch.setattr(_progress, "say", hear)
    monkeypatch.setattr("tokharness.cli._progress.say", hear)
    monkeypatch.setattr(_progress, "SECONDS", 0.001)
    return wait_for


def after(*events, task="checking"):
    status = Status([SPEC, "reference", SPEC], task)
    for event in events:
        status.update(event)
    return str(status)


def test_it_is_said_what_is_loaded():
    assert after() == f"loading {SHOWN}"


def test_it_is_said_what_is_left():
    assert after(STARTED) == f"{SHOWN}: families left: digits, emoji, code and 2 more"
    events = (STARTED, unit("digits"), unit("emoji", 1, 3))
    left = "emoji (2 of 3 parts), code, zero-width and 1 more"
    assert after(*events) == f"{SHOWN}: 1,200 cases; families left: {left}"


def test_cases_that_run_again_in_isolation_are_counted_once():
    first = [unit("emoji", number, 3) for number in range(3)]
    again = [replace(one, guarded=True) for one in first[1:]]
    assert after(STARTED, *first, again[0]).startswith(f"{SHOWN}: 1,200 cases; families left: ")
    assert "emoji (1 of 3 parts)" in after(STARTED, *first, again[0])
    assert after(STARTED, *first, *again).startswith(f"{SHOWN}: 1,800 cases; ")


@pytest.mark.parametrize(
    ("failing", "words"),
    [
        (0, "auditing"),
        (1, "diagnosing 1 failing text, auditing"),
        (1500, "diagnosing 1,500 failing texts, auditing"),
    ],
)
def test_it_is_said_what_is_diagnosed(failing, words):
    events = [STARTED, *map(unit, FAMILIES)]
    events += [FamilyFinished(SPEC, family, 600, 0) for family in FAMILIES[1:]]
    assert after(*events, FamilyFinished(SPEC, "digits", 600, failing)).endswith(f"; {words}")


def test_failing_texts_that_are_left_out_are_not_said_to_be_diagnosed():
    events = [STARTED, *map(unit, FAMILIES)]
    events += [FamilyFinished(SPEC, family, 9000, 8000, diagnosed=20) for family in FAMILIES]
    assert f"diagnosing {20 * len(FAMILIES)} failing texts" in after(*events)


def test_the_next_target_is_loaded_after_a_target():
    finished = TargetFinished(SPEC, 1, 1.0, 1.0)
    assert after(STARTED, finished) == "loading reference"
    other = TargetStarted("reference", None, (), None, None, FAMILIES, ())
    assert after(STARTED, finished, other, finished) == "finishing"


def test_metrics_are_said_to_follow_the_findings():
    finding = Finding(SPEC, "TOK101", "x", Cause("c"), 1, "\u200b", ("digits",), "")
    assert "finishing the report" in after(STARTED, FindingReported(finding))


def test_it_is_said_what_a_campaign_runs():
    assert after(STARTED, task="fuzzing") == f"{SHOWN}: fuzzing"
    rounds = (RoundFinished(SPEC, number, "mutation", 100, 0) for number in range(3))
    said = f"{SHOWN}: 300 cases; fuzzing with texts of mutation"
    assert after(STARTED, *rounds, task="fuzzing") == said


def test_a_rate_is_that_of_its_own_pass_over_the_corpus(monkeypatch):
    seconds = iter(range(0, 1000, 10))
    monkeypatch.setattr(_progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    million = 1_000_000
    status = Status([SPEC], "scanning")

    def said_after(*events):
        for event in events:
            status.update(event)
        return str(status).removeprefix(f"{SHOWN}: ")

    begin = ShardScanned(SPEC, 0, 0, 50 * million, is_choice=True)
    assert said_after(begin) == "scanning"
    read = replace(begin, size=20 * million)
    assert said_after(read) == "20 of 50 MB read for the sample, 1.0 MB/s, 30 s left"
    assert said_after(STARTED) == "scanning"
    scanned = ShardScanned(SPEC, 7, 5 * million, 50 * million)
    assert said_after(scanned) == "7 cases; 5 of 50 MB scanned, 0.2 MB/s, 3 min left"


def test_a_run_that_sends_no_events_is_not_silent(said):
    def events():
        said("loading")
        yield STARTED
        said("families left: digits")
        yield unit("digits")
        said("600 cases")

    assert len(list(show_progress(events(), Status([SPEC])))) == 2


def test_a_training_is_not_silent(said):
    with training_bar(10, 1000) as bar:
        bar.read(2_500_000)
        said("reading: 2.5 MB")
        bar.made(300)
        said("merging: 300 of 1,000 tokens")


def test_nothing_is_said_after_the_end(said):
    with heartbeat(lambda: "it lasts"):
        said("s: it lasts")
    assert "tokharness-heartbeat" not in [thread.name for thread in threading.enumerate()]


def test_a_system_without_room_for_a_thread_is_silent(monkeypatch):
    def fail(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    with heartbeat(lambda: "it lasts"):
        pass


def test_a_closed_error_output_is_no_error(monkeypatch):
    def fail(*_, **__):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("click.echo", fail)
    say("it lasts")
    monkeypatch.setattr("sys.stderr.write", fail)
    monkeypatch.setattr("sys.stderr.flush", fail)
    output = optional_output()
    assert output.write("it lasts") == 8
    output.flush()
    assert not output.isatty()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(90.0, "about 90 s, not 4 s as"), (7000.0, "about 117 min"), (36_000.0, "about 10 h")],
)
def test_a_slow_target_is_said_to_be_slow(said, seconds, words):
    events = iter([STARTED, SlowTarget(SPEC, 60_000, seconds, 4.0)])
    list(show_progress(events, Status([SPEC])))
    line = said("is slow")
    assert f"{SHOWN} is slow: 60,000 texts take {words}" in line


@pytest.mark.parametrize(
    ("options", "end"),
    [
        (Options(), "as usual; to run fewer, use --profile quick or --family"),
        (Options(profile="quick"), "as usual; to run fewer, use --family"),
        (Options(families=("digits",)), "as usual; to run fewer, use --profile quick"),
        (Options(profile="quick", families=("digits",)), "as usual"),
    ],
)
def test_only_options_that_are_not_set_are_advised_for_a_slow_target(said, options, end):
    list(show_progress(iter([SlowTarget(SPEC, 60_000, 90.0, 4.0)]), Status([SPEC]), options))
    assert said("is slow").endswith(end)
