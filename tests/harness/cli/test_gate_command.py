"""``tokharness gate``: changes since a baseline, and their acceptances."""

import json
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from tokharness.baseline.reading import read
from tokharness.cli import _run
from tokharness.cli._gate_run import gate_command
from tokharness.edits import TOKENS_ALONE
from tokharness.targets.snapshot import FileState

TODAY, LATER = "2027-03-01", "2027-03-02"
OURS = "reports/baselines/ours.json"


@pytest.fixture
def gate(in_project, command):
    """Run ``tokharness gate`` on a tokenizer, with the baseline of another."""

    def run(factory, *words, name="ours"):
        named = ("--name", name) if name else ()
        return command("gate", in_project.spec(factory), *named, "--jobs", "0", *words)

    return run


@pytest.fixture
def ours(in_project):
    """Path of the baseline of the plain tokenizer, in a project."""
    return in_project.baseline(OURS)


@pytest.fixture
def accepted(ours, gate):
    """The baseline, with the changes of the Drops tokenizer accepted until a day."""
    words = ("--update", "--reason", "never written", "--expires", TODAY, "--as-of", TODAY)
    assert gate("Drops", *words).code == 0
    return ours


def changes_of(outcome):
    return json.loads(outcome.out)["gate"]["changes"]


def kinds_of(outcome):
    return {one["kind"] for one in changes_of(outcome) if one["fails"]}


@pytest.mark.slow
def test_an_unchanged_target_passes(ours, gate):
    outcome = gate("Plain")
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].startswith("passed: 0 failing changes")


def test_a_change_fails_with_its_texts_and_cause(ours, gate):
    outcome = gate("Drops")
    assert outcome.code == 1
    first = "\n".join(outcome.out.splitlines()[:9])
    assert "U+200B ZERO WIDTH SPACE" in first
    assert "\\u{200b}" in first
    assert outcome.out.splitlines()[-1].startswith("failed: ")


@pytest.mark.slow
def test_the_command_to_accept_a_change_accepts_it(ours, gate, command):
    words = ("--select", "TOK101", "--fail-on", "bug", "--as-of", TODAY, "--format", "json")
    steps = [one["next"][-1] for one in changes_of(gate("Drops", *words)) if one["fails"]]
    accept = shlex.split(steps[0], comments=True)[1:]
    assert "--select TOK101" in steps[0]
    outcome = command(*accept[:-1], "never written", "--jobs", "0", "--format", "json")
    assert json.loads(outcome.out)["gate"]["newly_accepted"] == 1


def test_a_gate_without_update_writes_nothing(ours, gate):
    before = ours.read_bytes()
    gate("Drops")
    assert ours.read_bytes() == before


def test_an_accepted_change_passes(accepted, gate):
    assert gate("Drops", "--as-of", TODAY).code == 0


@pytest.mark.slow
def test_the_reason_is_in_the_file(accepted):
    assert {one.reason for one in read(accepted).accepted} == {"never written"}


@pytest.mark.slow
def test_an_expired_acceptance_fails(accepted, gate):
    outcome = gate("Drops", "--as-of", LATER, "--format", "json")
    assert outcome.code == 1
    assert kinds_of(outcome) == {"expired-acceptance"}


@pytest.mark.slow
def test_an_acceptance_covers_no_other_change(accepted, gate):
    assert gate("DropsMore", "--as-of", TODAY).code == 1


@pytest.mark.slow
def test_a_stale_acceptance_fails_until_it_is_pruned(accepted, gate):
    assert gate("Plain", "--as-of", TODAY).code == 1
    assert gate("Plain", "--as-of", TODAY, "--prune").code == 0
    assert gate("Plain", "--as-of", TODAY).code == 0


@pytest.mark.slow
def test_prune_removes_a_stale_acceptance(accepted, gate):
    gate("Plain", "--as-of", TODAY, "--prune")
    assert read(accepted).accepted == ()


@pytest.mark.slow
def test_after_pruning_no_command_offers_it(accepted, gate):
    words = ("--as-of", TODAY, "--fail-on", "risk", "--format", "json")
    first = next(one for one in changes_of(gate("Doubles", *words)) if one["fails"])
    assert "--prune" in first["next"][-1]
    accept = ("--accept", first["fingerprint"], "--reason", "x", "--prune")
    left = [one for one in changes_of(gate("Doubles", *words, *accept)) if one["fails"]]
    assert left
    assert "--prune" not in str([one["next"] for one in left])


@pytest.mark.slow
def test_prune_accepts_nothing(ours, gate):
    assert gate("Drops", "--prune").code == 1
    assert read(ours).accepted == ()


@pytest.mark.slow
def test_update_leaves_stale_acceptances_to_prune(accepted, gate):
    words = ("--update", "--reason", "x", "--as-of", TODAY)
    assert gate("Plain", *words).code == 1
    assert gate("Plain", *words, "--prune").code == 0


@pytest.mark.parametrize("reason", [(), ("--reason", ""), ("--reason", "  ")])
def test_update_without_a_reason_is_refused_before_the_run(ours, gate, reason):
    before = ours.read_bytes()
    outcome = gate("Drops", "--update", *reason)
    assert (outcome.code, outcome.out, ours.read_bytes()) == (2, "", before)
    assert "--update needs a --reason" in outcome.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--reason", "x"), "add --update"),
        (("--expires", "2999-01-01"), "add --update"),
        (("--update", "--reason", "x", "--expires", "2000-01-01"), "is in the past"),
        (("--update", "--reason", "x", "--expires", "soon"), "takes a date such as"),
        (("--as-of", "31.3.2027"), "takes a date such as"),
        (("--against", "reference", "--update", "--reason", "x"), "--baseline"),
        (("--against", "reference", "--prune"), "--baseline"),
        (("--report", "json"), "--report takes FORMAT=PATH"),
        (("--config", "missing.toml"), "cannot read the policy"),
    ],
)
def test_a_usage_error_is_reported_before_the_run(ours, gate, words, message):
    outcome = gate("Drops", *words)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err


def test_a_missing_baseline_is_an_error(in_project, gate):
    outcome = gate("Plain", name="other")
    assert outcome.code == 2
    assert "there is no baseline reports/baselines/other.json" in outcome.err


def test_a_damaged_baseline_is_an_error_and_unchanged(ours, gate):
    damaged = ours.read_bytes()[:1000]
    ours.write_bytes(damaged)
    outcome = gate("Plain", "--prune")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert ours.read_bytes() == damaged


@pytest.mark.parametrize("name", ["another", None])
def test_the_baseline_of_another_target_is_refused(ours, gate, name):
    outcome = gate("Plain", "--baseline", OURS, name=name)
    assert outcome.code == 2
    assert "is the baseline of 'ours'" in outcome.err


def test_the_baseline_option_sets_the_path(ours, gate, tmp_path):
    elsewhere = ours.rename(tmp_path / "elsewhere.json")
    assert gate("Plain", "--baseline", str(elsewhere)).code == 0


@pytest.mark.slow
def test_a_baseline_that_a_concurrent_run_wrote_is_unchanged(ours, gate, monkeypatch):
    run = _run.run_checks

    def meanwhile(*arguments, **options):
        ours.write_text("of another run")
        return run(*arguments, **options)

    monkeypatch.setattr("tokharness.cli._gate_run.run_checks", meanwhile)
    outcome = gate("Drops", "--update", "--reason", "x")
    assert outcome.code == 2
    assert "another run wrote" in outcome.err
    assert ours.read_text() == "of another run"


def test_ctrl_c_exits_with_130_and_leaves_the_baseline(ours, gate):
    before = ours.read_bytes()
    outcome = gate("Interrupted", "--update", "--reason", "x", "--format", "json")
    assert outcome.code == 130
    assert json.loads(outcome.out)["gate"] is None
    assert ours.read_bytes() == before


def test_a_lost_entry_point_fails(ours, gate):
    outcome = gate("Fewer", "--format", "json")
    assert outcome.code == 1
    assert kinds_of(outcome) == {"lost-entry-point"}


def test_json_has_the_gate(ours, gate):
    result = json.loads(gate("Drops", "--format", "json").out)["gate"]
    assert (result["name"], result["against"]) == ("ours", OURS)
    assert result["passed"] is False
    assert result["golden_texts"] > 100
    texts = [one["text"] for change in result["changes"] for one in change["examples"]]
    assert all("\u200b" in text for text in texts)


@pytest.mark.parametrize("name", ["terminal", "markdown", "junit", "sarif", "github", "gitlab"])
def test_every_format_renders_a_gate(ours, gate, name):
    outcome = gate("Drops", "--format", name)
    assert outcome.code == 1
    assert "200b" in outcome.out.lower()


def test_the_baseline_sets_the_run_options(ours, gate):
    options = json.loads(gate("Plain", "--format", "json").out)["options"]
    assert (options["profile"], options["families"]) == ("quick", ["zero-width"])
    assert options["select"] == ["TOK101", "TOK110"]


def test_the_command_line_overrides_the_baseline(ours, gate):
    outcome = gate("Plain", "--select", "TOK101", "--format", "json")
    assert json.loads(outcome.out)["options"]["select"] == ["TOK101"]


@pytest.mark.slow
def test_an_omitted_check_fails_and_leaves_acceptances(accepted, gate):
    outcome = gate("Plain", "--select", "TOK110", "--as-of", TODAY, "--format", "json")
    assert outcome.code == 1
    assert set(kinds_of(outcome)) == {"check-not-run"}


AGAINST = ("--family", "zero-width", "--select", "TOK101", "--profile", "quick", "--examples", "0")


def test_a_candidate_passes_against_an_equal_incumbent(in_project, gate):
    outcome = gate("Plain", "--against", in_project.spec("Plain"), *AGAINST, name=None)
    assert outcome.code == 0


@pytest.mark.slow
def test_a_candidate_fails_with_its_differences_from_the_incumbent(in_project, gate):
    incumbent = in_project.spec("Plain")
    outcome = gate("Drops", "--against", incumbent, *AGAINST, "--format", "json", name=None)
    assert outcome.code == 1
    assert json.loads(outcome.out)["gate"]["against"] == incumbent
    assert "new-finding" in kinds_of(outcome)


@pytest.mark.slow
def test_findings_of_the_incumbent_are_notes(in_project, gate):
    words = ("--against", in_project.spec("Drops"), *AGAINST, "--format", "json")
    changes = changes_of(gate("Plain", *words, name=None))
    assert "fixed-finding" in {one["kind"] for one in changes if not one["fails"]}


def test_ctrl_c_in_the_incumbent_exits_with_130(in_project, gate):
    words = ("--against", in_project.spec("Interrupted"), *AGAINST)
    assert gate("Plain", *words, name=None).code == 130


def test_under_github_actions_it_annotates_and_writes_the_summary(
    ours, gate, monkeypatch, tmp_path
):
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    outcome = gate("Drops")
    assert outcome.code == 1
    assert any(line.startswith("::error ") for line in outcome.out.splitlines())
    assert summary.read_text().startswith("**tokharness gate: failed**")


def test_under_github_actions_a_text_report_has_no_commands(ours, gate, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    lines = gate("Drops").out.splitlines()
    word = lines[0].removeprefix("::stop-commands::")
    assert word != lines[0]
    assert f"::{word}::" in lines[1:]


def test_under_github_actions_json_stays_json(ours, gate, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    outcome = gate("Drops", "--format", "json")
    assert json.loads(outcome.out)
    assert "::error " in outcome.err


def test_a_report_file_is_written_too(ours, gate):
    gate("Drops", "--report", "junit=gate.xml", "--report", "markdown=gate.md")
    assert "200b" in Path("gate.xml").read_text().lower()
    assert Path("gate.md").read_text().startswith("**tokharness gate: failed**")


def test_a_target_may_be_a_name_of_the_policy(ours, in_project, command):
    in_project.policy(f'targets.ours.spec = "{in_project.spec("Drops")}"')
    outcome = command("gate", "ours", "--jobs", "0", "--format", "json")
    assert outcome.code == 1
    assert json.loads(outcome.out)["gate"]["name"] == "ours"


def test_the_policy_sets_the_folder_of_baselines(ours, in_project, gate):
    ours.rename(Path("ours.json"))
    in_project.policy('baselines = "."')
    assert gate("Plain").code == 0


def test_config_none_ignores_the_policy(ours, in_project, gate):
    in_project.policy('baselines = "elsewhere"')
    assert gate("Plain", "--config", "none").code == 0


def test_the_policy_overrides_the_baseline(ours, in_project, gate):
    in_project.policy('select = ["TOK101"]\nseed = 7')
    options = json.loads(gate("Plain", "--format", "json").out)["options"]
    assert (options["select"], options["seed"]) == (["TOK101"], 7)


def test_a_budget_that_is_exceeded_fails(ours, in_project, gate):
    in_project.policy("budgets = {Burmese = 2.0}")
    outcome = gate("Plain", "--format", "json")
    assert outcome.code == 1
    (change,) = changes_of(outcome)
    assert (change["kind"], change["what"]) == ("over-budget", "Burmese")


def test_a_metric_regression_fails(ours, gate):
    assert "metric-regression" in kinds_of(gate("Doubles", "--format", "json"))


def test_the_policy_sets_the_tolerance(ours, in_project, gate):
    in_project.policy("tolerance = 1.0")
    assert "metric-regression" not in kinds_of(gate("Doubles", "--format", "json"))


def test_an_unmet_expectation_fails(ours, in_project, gate):
    in_project.policy('expect = ["lossy:NFKC"]')
    assert kinds_of(gate("Plain", "--format", "json")) == {"unmet-expectation"}


def test_an_expected_finding_passes_and_its_ids_fail(ours, in_project, gate):
    in_project.policy('expect = ["lossy:dropped characters"]')
    assert kinds_of(gate("Drops", "--format", "json")) == {"changed-ids"}


def test_an_error_in_the_policy_is_one_sentence(ours, in_project, gate):
    in_project.policy("tolerence = 1.0")
    outcome = gate("Plain")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "did you mean 'tolerance'" in outcome.err


@pytest.mark.parametrize(("kind", "old"), [("tiktoken", "baseline:b.json"), (TOKENS_ALONE, "")])
def test_only_the_file_of_a_baseline_is_shown_next_to_the_target(kind, old):
    baseline = SimpleNamespace(spec="mine", file=FileState(kind, {}, packed="a"))
    assert gate_command("mine", baseline, Path("b.json"), ()).old == old
