"""``--journal`` and ``--resume`` on the command line, and a run that is killed."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FAULTY = Path(__file__).parents[1] / "faulty_tokenizers.py"
TOKHARNESS = (sys.executable, "-c", "from tokharness.cli import main; main()")


def test_a_finished_journal_gives_the_same_report_again(check, tmp_path):
    path = tmp_path / "run.jsonl"
    first = check("tiktoken:embedded", "--journal", str(path))
    again = check("--resume", str(path))
    assert (first.code, first.out) == (again.code, again.out)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--seed", "3"), "--seed 0, not 3"),
        (("--family", "emoji"), "--family digits,contractions, not emoji"),
        (("reference",), "is of tiktoken:embedded, not of reference"),
        (("--journal", "x"), "exclude each other"),
    ],
)
def test_a_journal_of_another_run_is_refused(check, command, tmp_path, words, told):
    path = tmp_path / "run.jsonl"
    check("tiktoken:embedded", "--select", "TOK101", "--journal", str(path))
    ended = command("check", "--resume", str(path), *words)
    assert ended.code == 2
    assert told in ended.err


def test_how_bad_a_finding_must_be_may_be_asked_anew(check, command, tmp_path):
    path = tmp_path / "run.jsonl"
    check(
        f"python:{FAULTY}:numbers_in_fours",
        "--against",
        "tiktoken:embedded",
        "--journal",
        str(path),
    )
    assert command("check", "--resume", str(path)).code == 1
    assert command("check", "--resume", str(path), "--fail-on", "never").code == 0


def test_a_journal_that_is_not_there_yet_is_started_if_the_run_is_known(check, tmp_path):
    path = tmp_path / "run.jsonl"
    ended = check("tiktoken:embedded", "--select", "TOK101", "--resume", str(path))
    assert ended.code == 0
    assert "starting a new run" in ended.err
    assert path.exists()


def test_without_a_target_it_is_a_mistake(command, tmp_path):
    ended = command("check", "--resume", str(tmp_path / "none"))
    assert ended.code == 2
    assert "cannot read the journal" in ended.err


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(8))
def test_a_run_killed_at_a_random_moment_is_completed_with_the_same_findings(
    tmp_path, undisturbed, moment
):
    path = tmp_path / "run.jsonl"
    lines, expected = undisturbed
    kill_when_it_has(random.Random(moment).randint(1, lines), path)
    assert path.read_bytes().count(FINISHED) < TARGETS, "killed after the end"
    assert found([*WORDS, "--resume", str(path)]) == expected
    assert not left_behind(path)


TARGETS = 2
WORDS = (
    *(
        *TOKHARNESS,
        "check",
        "python:tokharness_tokenizers.faulty.crashes:aborts_on_a_language_tag",
    ),
    *(f"python:{FAULTY}:numbers_in_fours", "--against", "reference:embedded", "--format", "json"),
    *("--family", "zero-width", "--select", "TOK101,TOK102,TOK104,TOK201", "--examples", "20"),
    *("--jobs", "2", "--profile", "quick"),
)
TRIED, FINISHED = b'{"event": "FamilyFinished"', b'{"event": "TargetFinished"'
MARKER = "TOKHARNESS_KILLED_RUN"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Lines of the journal before those that come together at the end, and what the run finds."""
    path = tmp_path_factory.mktemp("undisturbed") / "run.jsonl"
    expected = found([*WORDS, "--journal", str(path)])
    assert any(one["code"] == "TOK104" for one in expected[0]), "no worker died in it"
    before_the_end, _, _ = path.read_bytes().rpartition(TRIED)
    return before_the_end.count(b"\n") + 1, expected


def kill_when_it_has(lines, path):
    """Start a run, and kill it as soon as its journal has so many lines."""
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


def found(words):
    ended = subprocess.run(words, capture_output=True, check=False, timeout=120)
    assert ended.returncode == 1, ended.stderr
    report = json.loads(ended.stdout)
    return report["findings"], report["skips"], [one["families"] for one in report["targets"]]


def left_behind(path):
    """Processes of the run with this journal that outlived it, a moment after it was killed."""
    mark = f"{MARKER}={path}\0".encode()
    for _ in range(100):
        left = [stat for stat in Path("/proc").glob("[0-9]*/stat") if is_alive(stat, mark)]
        if not left:
            return []
        time.sleep(0.05)
    return left


def is_alive(stat, mark):
    """Whether a process has the mark in its environment, as every child of the run inherits it."""
    try:
        state = stat.read_text().rpartition(")")[2].split()[0]
        return state not in "ZX" and mark in stat.with_name("environ").read_bytes()
    except OSError:
        return False
