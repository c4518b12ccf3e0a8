"""Regressions on the command line: where they are, corrupt ones, baselines, journals."""

import json
import shutil
from pathlib import Path

import pytest

DEFAULT = "cases/regressions"
QUICK = ("--profile", "quick", "--examples", "0", "--jobs", "0")
WORDS = ("--select", "TOK101", *QUICK)


def keep(folder, *texts):
    """Write texts as regressions."""
    path = Path(folder) / "lossy-round-trip.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path


@pytest.fixture
def check(in_project, command):
    """Check a tokenizer that drops the word xyzzy, which fails only on regressions."""

    def run(*words, family="regressions"):
        return command("check", in_project.spec("Forgets"), "--family", family, *WORDS, *words)

    return run


@pytest.fixture
def gate(in_project, command):
    def run(factory, family):
        spec = in_project.spec(factory)
        return command("gate", spec, "--name", "ours", "--family", family, *QUICK)

    return run


def test_without_a_policy_regressions_are_in_the_working_directory(check):
    keep(DEFAULT, "say xyzzy")
    outcome = check("--format", "json")
    assert outcome.code == 1
    assert json.loads(outcome.out)["options"]["regressions"] == DEFAULT


def test_with_a_policy_regressions_are_next_to_its_file(in_project, check, monkeypatch):
    in_project.policy("seed = 1")
    keep(DEFAULT, "say xyzzy")
    Path(".git").mkdir()
    inside = Path("src")
    inside.mkdir()
    monkeypatch.chdir(inside)
    outcome = check("--format", "json")
    assert outcome.code == 1
    assert json.loads(outcome.out)["options"]["regressions"] == f"../{DEFAULT}"


def test_the_policy_sets_their_folder(in_project, check):
    in_project.policy('regressions = "kept"')
    keep("kept", "say xyzzy")
    assert check().code == 1


def test_other_folders_are_not_replayed(in_project, check):
    in_project.policy('regressions = "kept"')
    keep(DEFAULT, "say xyzzy")
    assert check(family="digits,regressions").code == 0
    assert check("--config", "none").code == 1


def test_without_regressions_nothing_fails(check):
    assert check(family="digits,regressions").code == 0


def test_a_run_of_no_regression_has_checked_nothing(check):
    outcome = check()
    assert outcome.code == 2
    assert "no text of the families regressions was encoded" in outcome.err


def test_a_run_of_another_family_does_not_replay(check):
    keep(DEFAULT, "say xyzzy")
    assert check(family="digits").code == 0


def test_a_corrupt_regression_is_reported_before_the_run(check):
    path = keep(DEFAULT, "say xyzzy")
    path.write_text("xyzzy\n")
    outcome = check()
    assert (outcome.code, outcome.out) == (2, "")
    message = f"{path}:1 is not a regression: it is not JSON; fix or delete the line"
    assert outcome.err == f"tokharness: error: {message}\n"


def test_the_family_is_listed(command):
    assert "\nregressions " in command("list", "families").out


def test_a_journal_with_regressions_is_resumed(in_project, check, command):
    keep(DEFAULT, "say xyzzy")
    first = check("--journal", "run.jsonl", family="digits,regressions")
    path = Path("run.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    words = (in_project.spec("Forgets"), "--jobs", "0", "--format", "json")
    again = command("check", "--resume", "run.jsonl", *words)
    assert again.code == first.code == 1
    assert json.loads(again.out)["targets"][0]["families"]["regressions"] == 1


@pytest.mark.slow
def test_a_gate_fails_on_a_regression(in_project, gate):
    in_project.baseline("reports/baselines/ours.json")
    assert gate("Forgets", "zero-width").code == 0
    keep(DEFAULT, "say xyzzy")
    outcome = gate("Forgets", "zero-width,regressions")
    assert outcome.code == 1
    assert "new-finding" in outcome.out


def test_a_baseline_without_regressions_stays_valid(in_project, gate):
    in_project.baseline("reports/baselines/ours.json")
    keep(DEFAULT, "say xyzzy")
    assert gate("Plain", "zero-width,regressions").code == 0


@pytest.mark.slow
def test_a_baseline_does_not_depend_on_regressions(in_project, gate, command):
    keep(DEFAULT, "say xyzzy")
    words = ("--family", "zero-width,regressions", "--select", "TOK101", *QUICK)
    outcome = command("baseline", in_project.spec("Plain"), "--name", "ours", *words)
    assert outcome.code == 0
    written = Path("reports/baselines/ours.json").read_text()
    assert "xyzzy" not in written
    assert "family:regressions" not in written
    shutil.rmtree(DEFAULT)
    assert gate("Plain", "zero-width,regressions").code == 0
    assert gate("Plain", "zero-width").code == 0


def test_a_budget_of_regressions_is_refused(in_project, check):
    in_project.policy('budgets = {"family:regressions" = 2}')
    outcome = check()
    assert outcome.code == 2
    assert "no family is called 'regressions'" in outcome.err
