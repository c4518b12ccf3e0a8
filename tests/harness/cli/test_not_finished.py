"""What was not finished makes a run not finished: exit code 2, and the findings are reported."""

import json
from pathlib import Path

import pytest

from tokharness.engine.run.death_findings import WorkerLostError
from tokharness.engine.run.family_results import FamilyProgress
from tokharness.engine.run.loaded_workers import Workers
from tokharness.engine.run.pool import Pool
from tokharness.engine.worker.operations import audit
from tokharness.errors import BudgetSpentError
from tokharness.library.running import audit as library_audit

TARGET = f"python:{Path(__file__).with_name('audited_tokenizers.py')}:WithFurtherTokens"
FEW = ("--config", "none", "--jobs", "0")
TOO_LONG = "our own code took too long for it"


@pytest.fixture
def slow_code(monkeypatch):
    """No worker finishes a request for an audit, a diagnosis or a measure."""

    def lost(*_):
        raise WorkerLostError(TOO_LONG)

    monkeypatch.setattr(Workers, "call_unguarded", lambda *_, **__: {})
    monkeypatch.setattr(Workers, "call_guarded", lost)


@pytest.fixture
def slow_audits(monkeypatch):
    """The audit of TOK408 runs out of its time."""
    run_audits = audit.run_audits

    def spent(checks, *rest):
        if any(check.code == "TOK408" for check in checks):
            raise BudgetSpentError
        return run_audits(checks, *rest)

    monkeypatch.setattr(audit, "run_audits", spent)


COMMANDS = {
    "audit": (TARGET,),
    "check": (TARGET, "--family", "digits", "--profile", "quick", "--select", "TOK4"),
    "compare": (TARGET,),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_our_code_takes_too_long_for_is_not_finished(command, slow_code, name):
    few = FEW[2:] if name == "compare" else FEW
    outcome = command(name, *COMMANDS[name], *few)
    assert outcome.code == 2
    assert "the run is not finished: " in outcome.err
    assert TOO_LONG in outcome.err
    assert "passed" not in outcome.out


def test_an_audit_of_results_beyond_the_bounds_is_not_finished(command):
    spec = TARGET.replace("WithFurtherTokens", "DecodesToMillions")
    outcome = command("audit", spec, *FEW, "--select", "TOK401")
    assert outcome.code == 2
    assert "256 results in the audit of TOK401" in outcome.err
    assert "passed" not in outcome.out
    healthy = TARGET.replace("WithFurtherTokens", "Bytes")
    assert command("audit", healthy, *FEW, "--select", "TOK401").code == 0


GATED = (*FEW, "--select", "TOK401", "--profile", "quick")


@pytest.mark.slow
def test_neither_is_a_gate_whose_target_decodes_beyond_the_bounds(command, tmp_path):
    file, baseline = tmp_path / "mine.py", tmp_path / "baseline.json"
    source = "import sys\nsys.path.append({!r})\nfrom audited_tokenizers import {} as T\n"
    spec, words = f"python:{file}:T", ("--baseline", str(baseline), *GATED)
    file.write_text(source.format(str(Path(__file__).parent), "Bytes"))
    assert command("baseline", spec, *words).code == 0
    before = baseline.read_bytes()
    file.write_text(source.format(str(Path(__file__).parent), "DecodesToMillions"))
    for accepts in ((), ("--update", "--reason", "as it is")):
        outcome = command("gate", spec, *words, *accepts)
        assert outcome.code == 2
        assert "256 results in the audit of TOK401" in outcome.err
    assert baseline.read_bytes() == before


@pytest.mark.slow
def test_what_an_incumbent_did_not_finish_is_not_taken_for_new(command):
    incumbent = TARGET.replace("WithFurtherTokens", "DecodesToMillions")
    outcome = command("gate", TARGET, "--against", incumbent, *GATED)
    assert outcome.code == 2
    assert f"256 results in the audit of TOK401 of {incumbent}" in outcome.err
    assert outcome.out == ""


def test_neither_is_a_comparison_of_vocabularies_of_which_a_file_changes(command, monkeypatch):
    monkeypatch.setattr(Pool, "changed_file", lambda _: Path("changed.json"))
    outcome = command("audit", "reference:wordpiece", "reference:unigram", *FEW)
    assert outcome.code == 2
    assert "the run is not finished: changed.json of reference:wordpiece" in outcome.err


def test_a_vocabulary_beyond_the_bounds_is_not_trained(command, tmp_path):
    (tmp_path / "corpus.txt").write_text("a b c")
    out = tmp_path / "out.tiktoken"
    words = (str(tmp_path / "corpus.txt"), "--vocab-size", "257", "--out", str(out))
    outcome = command("train", *words, "--pattern", "(?:(?:a{999}){999}){9}|.")
    assert outcome.code == 2
    assert "the pattern has more than 100,000 parts" in outcome.err
    assert not out.exists()


def test_neither_is_a_campaign(command, slow_audits):
    few = ("--max-examples", "50", "--select", "TOK101,TOK408", "--database", "none")
    outcome = command("fuzz", TARGET, *FEW, *few)
    assert outcome.code == 2
    assert "the run is not finished: the audit of TOK408" in outcome.err


def test_findings_are_reported_with_what_was_not_finished(command, slow_audits):
    words = (TARGET, *FEW, "--fail-on", "risk")
    outcome = command("audit", *words)
    assert outcome.code == 2
    assert "the audit of TOK408 of python:" in outcome.err
    assert "not finished: 0 bugs" in outcome.out
    record = json.loads(command("audit", *words, "--format", "json").out)
    assert [skip["what"] for skip in record["skips"] if skip.get("unfinished")] == [
        "the audit of TOK408"
    ]
    assert record["findings"]


def test_the_same_audit_that_is_finished_passes(command):
    assert command("audit", TARGET, *FEW).code == 0


def test_every_report_says_so_and_one_that_is_read_again_does_not_pass(
    command, slow_audits, tmp_path
):
    forms = ("markdown", "html", "junit", "sarif", "gitlab", "github", "json")
    reports = [word for form in forms for word in ("--report", f"{form}={tmp_path / form}")]
    command("audit", TARGET, *FEW, *reports)
    for form in forms[:-1]:
        assert "run is not finished: the audit of TOK408" in (tmp_path / form).read_text(), form
    again = command("report", str(tmp_path / "json"))
    assert "not finished: 0 bugs" in again.out
    assert again.code == 0


def test_a_report_of_the_library_is_not_ok(slow_audits):
    assert not library_audit(TARGET, jobs=0).ok


@pytest.mark.parametrize(
    ("words", "code"),
    [((), 2), (("--run-limit", "150"), 0), (("--profile", "standard"), 2)],
    ids=["a fast target", "a declared limit", "no limit"],
)
def test_a_declared_limit_leaves_out_and_a_file_that_slows_us_does_not(
    command, slow_audits, words, code
):
    quick = ("--family", "digits", "--profile", "quick", "--select", "TOK4")
    assert command("check", TARGET, *FEW, *quick, *words).code == code


def test_a_whole_family_is_unfinished_and_a_part_of_one_is_left_out():
    family = FamilyProgress("emoji")
    family.leave_out_rest(whole_is_unfinished=True)
    assert [skip.unfinished for skip in family.skips("x")] == [True]
    slow = FamilyProgress("emoji")
    slow.leave_out_rest(whole_is_unfinished=False)
    assert [skip.unfinished for skip in slow.skips("x")] == [False]
