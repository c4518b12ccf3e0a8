"""``--journal`` and ``--resume`` on the command line, and a run that is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FAULTY = Path(__file__).parents[1] / "faulty_tokenizers.py"
TOKHARNESS = (sys.executable, "-c", "from tokharness.cli import main; main()")


@pytest.mark.slow
def test_a_finished_journal_gives_the_same_report(check, tmp_path):
    path = tmp_path / "run.jsonl"
    first = check("tiktoken:embedded", "--journal", str(path))
    again = check("--resume", str(path))
    assert (first.code, first.out) == (again.code, again.out)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seed", "3"), "--seed 0, not 3"),
        (("--family", "emoji"), "--family digits,contractions, not emoji"),
        (("reference",), "is of tiktoken:embedded, not of reference"),
        (("--journal", "x"), "exclude each other"),
    ],
)
def test_a_journal_of_another_run_is_refused(check, command, tmp_path, words, message):
    path = tmp_path / "run.jsonl"
    check("tiktoken:embedded", "--select", "TOK101", "--journal", str(path))
    outcome = command("check", "--resume", str(path), *words)
    assert outcome.code == 2
    assert message in outcome.err


@pytest.mark.slow
def test_a_resumed_run_may_change_fail_on(check, command, tmp_path):
    path = tmp_path / "run.jsonl"
    spec = f"python:{FAULTY}:numbers_in_fours"
    check(spec, "--against", "tiktoken:embedded", "--journal", str(path))
    assert command("check", spec, "--resume", str(path)).code == 1
    assert command("check", spec, "--resume", str(path), "--fail-on", "never").code == 0


@pytest.mark.slow
def test_a_resumed_run_runs_only_code_that_the_user_names(check, command, tmp_path):
    path, spec = tmp_path / "run.jsonl", f"python:{FAULTY}:numbers_in_fours"
    check(spec, "--against", "none", "--journal", str(path))
    outcome = command("check", "--resume", str(path))
    assert outcome.code == 2
    assert f"names {spec}, which may run code" in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.slow
def test_resume_starts_a_new_journal_if_it_has_a_target(check, tmp_path):
    path = tmp_path / "run.jsonl"
    outcome = check("tiktoken:embedded", "--select", "TOK101", "--resume", str(path))
    assert outcome.code == 0
    assert "starting a new run" in outcome.err
    assert path.exists()


def test_resume_of_a_missing_journal_without_a_target_is_an_error(command, tmp_path):
    outcome = command("check", "--resume", str(tmp_path / "none"))
    assert outcome.code == 2
    assert "cannot read the journal" in outcome.err


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("part", [0.1, 0.9])
def test_a_killed_run_is_resumed_with_the_same_findings(tmp_path, undisturbed, part):
    path = tmp_path / "run.jsonl"
    lines, expected = undisturbed
    kill_when_it_has(round(part * lines), path)
    assert path.read_bytes().count(FINISHED) < TARGETS, "killed after the end"
    assert findings_of([*WORDS, "--resume", str(path)]) == expected
    assert not left_behind(path)


TARGETS = 2
WORDS = (
    *(
        *TOKHARNESS,
        "check",
        "python:planted.crashes:aborts_on_a_language_tag",
    ),
    *(f"python:{FAULTY}:numbers_in_fours", "--against", "reference:embedded", "--format", "json"),
    *("--family", "zero-width", "--select", "TOK101,TOK102,TOK104,TOK201", "--examples", "20"),
    *("--jobs", "2", "--profile", "quick"),
)
FAMILY_FINISHED, FINISHED = b'{"event": "FamilyFinished"', b'{"event": "TargetFinished"'
MARKER = "TOKHARNESS_KILLED_RUN"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The number of journal lines before the end of the run, and the findings of the run."""
    path = tmp_path_factory.mktemp("undisturbed") / "run.jsonl"
    expected = findings_of([*WORDS, "--journal", str(path)])
    assert any(one["code"] == "TOK104" for one in expected[0]), "no worker died in it"
    before_the_end, _, _ = path.read_bytes().rpartition(FAMILY_FINISHED)
    return before_the_end.count(b"\n") + 1, expected


def kill_when_it_has(lines, path):
    """Start a run, and kill it when its journal has this number of lines."""
    with subprocess.Popen(
        [*WORDS, "--journal", str(path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=os.environ | {MARKER: str(path)},
    ) as killed:
        while not (path.exists() and path.read_bytes().count(b"\n") >= lines):
            assert killed.poll() is None, "it ended first"
            time.sleep(0.005)
        os.killpg(killed.pid, signal.SIGKILL)


def findings_of(words):
    outcome = subprocess.run(words, capture_output=True, check=False, timeout=120)
    assert outcome.returncode == 1, outcome.stderr
    report = json.loads(outcome.stdout)
    return report["findings"], report["skips"], [one["families"] for one in report["targets"]]


def left_behind(path):
    """Return the processes that survive a run with this journal, shortly after it is killed."""
    mark = f"{MARKER}={path}\0".encode()
    for _ in range(1200):
        left = [stat for stat in Path("/proc").glob("[0-9]*/stat") if is_alive(stat, mark)]
        if not left:
            return []
        time.sleep(0.05)
    return left


def is_alive(stat, mark):
    """Return whether a process has the mark in its environment, which all children inherit."""
    try:
        state = stat.read_text().rpartition(")")[2].split()[0]
        return state not in "ZX" and mark in stat.with_name("environ").read_bytes()
    except OSError:
        return False
