"""A target that does not load: a bug if its reference or its baseline loads, else an error."""

import json
import sys

import pytest

from tokharness import plugins
from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.reference.byte_bpe_training import train

PYTHON_ONLY = r"\X|\w+|\s+"
"""A pattern that the library regex has, as our reference uses it, and that of tiktoken refuses."""

EXITS = "import sys; sys.exit('cannot read the vocabulary of 7 tokens')"
WITH_REFERENCE = ("--against", "reference:embedded")


@pytest.fixture
def target(tmp_path, monkeypatch):
    """Write a module, a program and vocabularies that do not load, in the working directory."""
    monkeypatch.chdir(tmp_path)
    raising = "def make():\n    raise ValueError('/a/path: 3 ids')\n"
    missing = "def absent():\n    open('/no/such/file')\n"
    (tmp_path / "mine.py").write_text(raising + missing)
    (tmp_path / "exits.py").write_text(EXITS)
    (tmp_path / "prints.py").write_text("print('hello')")
    words = ["hello world " * 50]
    vocabulary = train(words, vocab_size=270, pattern=PYTHON_ONLY, unicode_version="16.0")
    ranks_file.save(tmp_path / "refused.tiktoken", vocabulary)
    ranks_file.save(tmp_path / "cut.tiktoken", vocabulary)
    (tmp_path / "cut.tiktoken").write_bytes(b"aGVsbG8= 1")


FAULTS = {
    ("tiktoken:refused.tiktoken",): "ValueError",
    ("tiktoken:refused.tiktoken", "--against", "reference:refused.tiktoken"): "ValueError",
    ("python:mine.py:make", *WITH_REFERENCE): "ValueError",
    (f"command:{sys.executable} exits.py", *WITH_REFERENCE): "exit code",
}
ERRORS = (
    ("tiktoken:refused.tiktoken", "--against", "none"),
    ("tiktoken:cut.tiktoken",),
    ("tiktoken:./missing.tiktoken",),
    ("tiktoken:./missing.tiktoken", *WITH_REFERENCE),
    ("tiktoken:o200k_bose", *WITH_REFERENCE),
    ("tiktokken:refused.tiktoken", *WITH_REFERENCE),
    ("python:mine.py:make",),
    ("python:mine.py:makes", *WITH_REFERENCE),
    ("python:mine.py:absent", *WITH_REFERENCE),
    ("python:mine.py:make", "--against", "python:mine.py:make"),
    ("command:no-such-program", *WITH_REFERENCE),
    (f"command:{sys.executable} exits.py",),
    (f"command:{sys.executable} prints.py", *WITH_REFERENCE),
    (f"command:{sys.executable} missing.py", *WITH_REFERENCE),
    ("reference:embedded", "--against", "python:mine.py:make"),
)


@pytest.mark.parametrize("words", FAULTS)
def test_it_is_one_bug_if_something_else_loads(target, check, words):
    outcome = check(*words, "--format", "json")
    assert outcome.code == 1
    report = json.loads(outcome.out)
    (finding,) = report["findings"]
    assert finding["code"] == "TOK104"
    assert finding["cause"] == f"does not load: {FAULTS[words]}"
    assert " loads: " in finding["message"]
    assert {skip["reason"] for skip in report["skips"]} == {"the target does not load"}


@pytest.mark.parametrize("words", ERRORS)
def test_it_is_an_error_if_it_is_not_there_or_nothing_else_loads(target, check, words):
    outcome = check(*words)
    assert outcome.code == 2
    assert outcome.err.startswith("tokharness: error: ")


@pytest.mark.parametrize("name", plugins.formats())
def test_every_format_shows_it_also_if_another_check_is_selected(target, check, name):
    words = ("tiktoken:refused.tiktoken", "--select", "TOK101", "--format", name)
    outcome = check(*words)
    assert outcome.code == 1
    assert "does not load" in outcome.out


def test_its_command_has_limits_that_are_not_usual(target, check):
    words = ("--memory-limit", "700M", "--time-limit", "3", "--format", "json")
    (finding,) = json.loads(check("tiktoken:refused.tiktoken", *words).out)["findings"]
    assert finding["reproduce"].endswith("refused.tiktoken --memory-limit 734003200")


@pytest.mark.slow
def test_worker_processes_report_it_too(target, command):
    words = ("--family", "digits", "--profile", "quick", "--jobs", "1")
    outcome = command("check", "tiktoken:refused.tiktoken", *words)
    assert (outcome.code, outcome.out.count("does not load: ValueError")) == (1, 1)


@pytest.mark.slow
def test_a_target_that_dies_while_it_is_loaded_is_one_bug(target, command, tmp_path):
    (tmp_path / "mine.py").write_text("import os\n\ndef make():\n    os.abort()\n")
    words = ("--family", "digits", "--profile", "quick", "--jobs", "1", *WITH_REFERENCE)
    outcome = command("check", "python:mine.py:make", *words)
    assert (outcome.code, outcome.out.count("does not load: SIGABRT")) == (1, 1)


def test_a_campaign_reports_it(target, command):
    words = ("--max-time", "1s", "--jobs", "0", "--database", "none")
    outcome = command("fuzz", "tiktoken:refused.tiktoken", *words)
    assert (outcome.code, outcome.out.count("does not load: ValueError")) == (1, 1)
    assert command("fuzz", "python:mine.py:make", *words).code == 2


def test_a_gate_fails_if_the_target_of_the_baseline_did_load(target, in_project, command):
    in_project.baseline("reports/baselines/ours.json")
    gate = ("gate", "--name", "ours", "--jobs", "0", "--format", "json")
    outcome = command(*gate, "python:mine.py:make")
    assert outcome.code == 1
    report = json.loads(outcome.out)
    (finding,) = report["findings"]
    assert finding["cause"] == "does not load: ValueError"
    assert "though the target of the baseline did" in finding["message"]
    assert command(*gate, "python:mine.py:absent").code == 2
    (change,) = (one for one in report["gate"]["changes"] if one["fails"])
    assert change["kind"] == "new-finding"
    assert {"check-not-run", "new-skip"} & {one["kind"] for one in change["related"]}
