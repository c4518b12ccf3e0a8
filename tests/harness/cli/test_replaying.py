"""Regressions on the command line: where they are, corrupt ones, baselines, journals."""

import json
import shutil
from pathlib import Path

import pytest

DEFAULT = "cases/regressions"
QUICK = ("--profile", "quick", "--examples", "0", "--jobs", "0")
WORDS = ("--select", "TOK101", *QUICK)


def keep(folder, *texts):
    """Write down texts that failed once."""
    path = Path(folder) / "lossy-round-trip.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path


@pytest.fixture
def check(in_project, command):
    """Check a tokenizer that loses the word xyzzy; it fails only on what is replayed."""

    def run(*words, family="regressions"):
        return command("check", in_project.spec("Forgets"), "--family", family, *WORDS, *words)

    return run


@pytest.fixture
def gate(in_project, command):
    def run(factory, family):
        spec = in_project.spec(factory)
        return command("gate", spec, "--name", "ours", "--family", family, *QUICK)

    return run


def test_without_a_policy_they_are_under_the_working_folder(check):
    keep(DEFAULT, "say xyzzy")
    ended = check("--format", "json")
    assert ended.code == 1
    assert json.loads(ended.out)["options"]["regressions"] == DEFAULT


def test_with_a_policy_they_are_beside_its_file(in_project, check, monkeypatch):
    in_project.policy("seed = 1")
    keep(DEFAULT, "say xyzzy")
    inside = Path("src")
    inside.mkdir()
    monkeypatch.chdir(inside)
    ended = check("--format", "json")
    assert ended.code == 1
    assert json.loads(ended.out)["options"]["regressions"] == f"../{DEFAULT}"


def test_the_policy_says_where_they_are(in_project, check):
    in_project.policy('regressions = "kept"')
    keep("kept", "say xyzzy")
    assert check().code == 1


def test_what_the_policy_does_not_name_is_not_replayed(in_project, check):
    in_project.policy('regressions = "kept"')
    keep(DEFAULT, "say xyzzy")
    assert check().code == 0
    assert check("--config", "none").code == 1


def test_without_any_nothing_fails(check):
    assert check().code == 0


def test_another_family_does_not_replay_them(check):
    keep(DEFAULT, "say xyzzy")
    assert check(family="digits").code == 0


def test_a_corrupt_one_is_told_in_a_line_before_anything_runs(check):
    path = keep(DEFAULT, "say xyzzy")
    path.write_text("xyzzy\n")
    ended = check()
    assert (ended.code, ended.out) == (2, "")
    told = f"{path}:1 is no regression: it is no JSON; mend or delete the line"
    assert ended.err == f"tokharness: error: {told}\n"


def test_the_family_is_listed(command):
    assert "\nregressions " in command("list", "families").out


def test_a_journal_of_a_run_that_replays_is_completed(check, command):
    keep(DEFAULT, "say xyzzy")
    first = check("--journal", "run.jsonl", family="digits,regressions")
    path = Path("run.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    again = command("check", "--resume", "run.jsonl", "--jobs", "0", "--format", "json")
    assert again.code == first.code == 1
    assert json.loads(again.out)["targets"][0]["families"]["regressions"] == 1


def test_a_gate_fails_on_what_only_a_regression_shows(in_project, gate):
    in_project.baseline("reports/baselines/ours.json")
    assert gate("Forgets", "zero-width").code == 0
    keep(DEFAULT, "say xyzzy")
    ended = gate("Forgets", "zero-width,regressions")
    assert ended.code == 1
    assert "new-finding" in ended.out


def test_a_baseline_from_before_the_regressions_goes_on_working(in_project, gate):
    in_project.baseline("reports/baselines/ours.json")
    keep(DEFAULT, "say xyzzy")
    assert gate("Plain", "zero-width,regressions").code == 0


def test_a_baseline_does_not_know_of_regressions_and_passes_without_them(in_project, gate, command):
    keep(DEFAULT, "say xyzzy")
    words = ("--family", "zero-width,regressions", "--select", "TOK101", *QUICK)
    ended = command("baseline", in_project.spec("Plain"), "--name", "ours", *words)
    assert ended.code == 0
    written = Path("reports/baselines/ours.json").read_text()
    assert "xyzzy" not in written
    assert "family:regressions" not in written
    shutil.rmtree(DEFAULT)
    assert gate("Plain", "zero-width,regressions").code == 0
    assert gate("Plain", "zero-width").code == 0


def test_a_budget_of_them_is_refused(in_project, check):
    in_project.policy('budgets = {"family:regressions" = 2}')
    ended = check()
    assert ended.code == 2
    assert "no family is called 'regressions'" in ended.err
