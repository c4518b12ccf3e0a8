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

DEADLY = Path(__file__).parents[1] / "deadly_tokenizers.py"
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
        (("--journal", "x"), "give one of them"),
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
    assert "starts anew" in ended.err
    assert path.exists()


def test_without_a_target_it_is_a_mistake(command, tmp_path):
    ended = command("check", "--resume", str(tmp_path / "none"))
    assert ended.code == 2
    assert "cannot read the journal" in ended.err


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(20))
def test_a_run_killed_at_a_random_moment_is_completed_with_the_same_findings(
    tmp_path, undisturbed, moment
):
    path = tmp_path / "run.jsonl"
    seconds, expected = undisturbed
    with subprocess.Popen(
        [*WORDS, "--journal", str(path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as killed:
        time.sleep(random.Random(moment).uniform(0.1, 1.0) * seconds)
        os.killpg(killed.pid, signal.SIGKILL)
    assert found([*WORDS, "--resume", str(path)]) == expected
    assert not left_behind()


WORDS = (
    *(*TOKHARNESS, "check", f"python:{DEADLY}:ReadsNullOnHalf"),
    *(f"python:{FAULTY}:numbers_in_fours", "--against", "reference:embedded", "--format", "json"),
    *("--family", "digits", "--select", "TOK101,TOK102,TOK104,TOK201", "--examples", "20"),
    *("--jobs", "2", "--profile", "quick"),
)


@pytest.fixture(scope="module")
def undisturbed():
    """Seconds that the run takes, and what it finds."""
    begin = time.monotonic()
    findings = found(WORDS)
    return time.monotonic() - begin, findings


def found(words):
    ended = subprocess.run(words, capture_output=True, check=False, timeout=120)
    assert ended.returncode == 1, ended.stderr
    report = json.loads(ended.stdout)
    return report["findings"], report["skips"], [one["families"] for one in report["targets"]]


def left_behind():
    """Worker processes that outlived the run that started them, a moment after it was killed."""
    for _ in range(100):
        workers = [path for path in Path("/proc").glob("[0-9]*/stat") if is_orphan(path)]
        if not workers:
            return []
        time.sleep(0.05)
    return workers


def is_orphan(stat):
    try:
        words = stat.with_name("cmdline").read_bytes()
        state, parent = stat.read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return False
    return b"tokharness.engine" in words and state not in "ZX" and parent == "1"
