"""``tokharness gate``: what changed since a baseline, and who accepted it."""

import json
from pathlib import Path

import pytest

from tokharness.baseline.reading import read
from tokharness.cli import _run

TODAY, LATER = "2027-03-01", "2027-03-02"
OURS = "reports/baselines/ours.json"


@pytest.fixture
def gate(in_project, command):
    """Run ``tokharness gate`` on a tokenizer in the place of that of the baseline."""

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
    """The baseline, after what drops zero-width spaces was accepted until a day."""
    words = ("--update", "--reason", "nobody writes them", "--expires", TODAY, "--as-of", TODAY)
    assert gate("Drops", *words).code == 0
    return ours


def changes_of(ended):
    return json.loads(ended.out)["gate"]["changes"]


def kinds_of(ended):
    return {one["kind"] for one in changes_of(ended) if one["fails"]}


def test_what_is_as_it_was_passes(ours, gate):
    ended = gate("Plain")
    assert ended.code == 0
    assert ended.out.splitlines()[-1].startswith("passed: 0 changes")


def test_what_changed_fails_with_its_strings_and_its_cause(ours, gate):
    ended = gate("Drops")
    assert ended.code == 1
    first = "\n".join(ended.out.splitlines()[:6])
    assert "U+200B ZERO WIDTH SPACE" in first
    assert "\\u{200b}" in first
    assert ended.out.splitlines()[-1].startswith("failed: ")


def test_a_gate_without_update_writes_nothing(ours, gate):
    before = ours.read_bytes()
    gate("Drops")
    assert ours.read_bytes() == before


def test_what_was_accepted_passes(accepted, gate):
    assert gate("Drops", "--as-of", TODAY).code == 0


def test_the_reason_is_in_the_file(accepted):
    assert {one.reason for one in read(accepted).accepted} == {"nobody writes them"}


def test_an_acceptance_that_has_expired_fails(accepted, gate):
    ended = gate("Drops", "--as-of", LATER, "--format", "json")
    assert ended.code == 1
    assert kinds_of(ended) == {"expired-acceptance"}


def test_what_was_accepted_covers_nothing_else(accepted, gate):
    assert gate("DropsMore", "--as-of", TODAY).code == 1


def test_what_is_no_longer_there_fails_until_it_is_pruned(accepted, gate):
    assert gate("Plain", "--as-of", TODAY).code == 1
    assert gate("Plain", "--as-of", TODAY, "--prune").code == 0
    assert gate("Plain", "--as-of", TODAY).code == 0


def test_pruning_takes_out_what_was_accepted(accepted, gate):
    gate("Plain", "--as-of", TODAY, "--prune")
    assert read(accepted).accepted == ()


def test_pruning_accepts_nothing(ours, gate):
    assert gate("Drops", "--prune").code == 1
    assert read(ours).accepted == ()


def test_an_update_leaves_what_is_stale_to_prune(accepted, gate):
    words = ("--update", "--reason", "x", "--as-of", TODAY)
    assert gate("Plain", *words).code == 1
    assert gate("Plain", *words, "--prune").code == 0


@pytest.mark.parametrize("reason", [(), ("--reason", ""), ("--reason", "  ")])
def test_an_update_without_a_reason_is_refused_before_the_work(ours, gate, reason):
    before = ours.read_bytes()
    ended = gate("Drops", "--update", *reason)
    assert (ended.code, ended.out, ours.read_bytes()) == (2, "", before)
    assert "--update needs a --reason" in ended.err


@pytest.mark.parametrize(
    ("words", "told"),
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
def test_a_mistake_is_told_in_a_sentence_before_the_work(ours, gate, words, told):
    ended = gate("Drops", *words)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert told in ended.err


def test_a_missing_baseline_is_told(in_project, gate):
    ended = gate("Plain", name="other")
    assert ended.code == 2
    assert "there is no baseline reports/baselines/other.json" in ended.err


def test_a_damaged_baseline_is_told_and_left_as_it_is(ours, gate):
    damaged = ours.read_bytes()[:1000]
    ours.write_bytes(damaged)
    ended = gate("Plain", "--prune")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert ours.read_bytes() == damaged


@pytest.mark.parametrize("name", ["another", None])
def test_the_baseline_of_another_is_refused(ours, gate, name):
    ended = gate("Plain", "--baseline", OURS, name=name)
    assert ended.code == 2
    assert "is the baseline of 'ours'" in ended.err


def test_a_baseline_may_be_anywhere(ours, gate, tmp_path):
    elsewhere = ours.rename(tmp_path / "elsewhere.json")
    assert gate("Plain", "--baseline", str(elsewhere)).code == 0


def test_a_baseline_that_another_run_writes_meanwhile_is_left(ours, gate, monkeypatch):
    run = _run.run_checks

    def meanwhile(*arguments, **options):
        ours.write_text("of another run")
        return run(*arguments, **options)

    monkeypatch.setattr("tokharness.cli._gate_run.run_checks", meanwhile)
    ended = gate("Drops", "--update", "--reason", "x")
    assert ended.code == 2
    assert "written by another run" in ended.err
    assert ours.read_text() == "of another run"


def test_ctrl_c_ends_with_130_and_leaves_the_baseline(ours, gate):
    before = ours.read_bytes()
    ended = gate("Interrupted", "--update", "--reason", "x", "--format", "json")
    assert ended.code == 130
    assert json.loads(ended.out)["gate"] is None
    assert ours.read_bytes() == before


def test_a_lost_capability_fails(ours, gate):
    ended = gate("Fewer", "--format", "json")
    assert ended.code == 1
    assert kinds_of(ended) == {"lost-capability"}


def test_json_has_the_judgement(ours, gate):
    result = json.loads(gate("Drops", "--format", "json").out)["gate"]
    assert (result["name"], result["against"]) == ("ours", OURS)
    assert result["passed"] is False
    assert result["golden"] > 100
    texts = [one["text"] for change in result["changes"] for one in change["examples"]]
    assert all("\u200b" in text for text in texts)


@pytest.mark.parametrize("name", ["terminal", "markdown", "junit", "sarif", "github", "gitlab"])
def test_every_format_tells_of_a_gate(ours, gate, name):
    ended = gate("Drops", "--format", name)
    assert ended.code == 1
    assert "200b" in ended.out.lower()


def test_the_baseline_says_how_thorough_the_run_is(ours, gate):
    options = json.loads(gate("Plain", "--format", "json").out)["options"]
    assert (options["profile"], options["families"]) == ("quick", ["zero-width"])
    assert options["select"] == ["TOK101", "TOK110"]


def test_the_command_says_it_before_the_baseline(ours, gate):
    ended = gate("Plain", "--select", "TOK101", "--format", "json")
    assert json.loads(ended.out)["options"]["select"] == ["TOK101"]


def test_a_check_that_is_not_asked_for_fails_and_makes_nothing_stale(accepted, gate):
    ended = gate("Plain", "--select", "TOK110", "--as-of", TODAY, "--format", "json")
    assert ended.code == 1
    assert set(kinds_of(ended)) == {"check-not-run"}


AGAINST = ("--family", "zero-width", "--select", "TOK101", "--profile", "quick", "--examples", "0")


def test_a_candidate_passes_against_one_that_does_the_same(in_project, gate):
    ended = gate("Plain", "--against", in_project.spec("Plain"), *AGAINST, name=None)
    assert ended.code == 0


def test_a_candidate_fails_by_what_it_does_otherwise_than_the_incumbent(in_project, gate):
    incumbent = in_project.spec("Plain")
    ended = gate("Drops", "--against", incumbent, *AGAINST, "--format", "json", name=None)
    assert ended.code == 1
    assert json.loads(ended.out)["gate"]["against"] == incumbent
    assert "new-finding" in kinds_of(ended)


def test_what_the_incumbent_had_is_told(in_project, gate):
    words = ("--against", in_project.spec("Drops"), *AGAINST, "--format", "json")
    changes = changes_of(gate("Plain", *words, name=None))
    assert "fixed-finding" in {one["kind"] for one in changes if not one["fails"]}


def test_ctrl_c_in_the_incumbent_ends_with_130(in_project, gate):
    words = ("--against", in_project.spec("Interrupted"), *AGAINST)
    assert gate("Plain", *words, name=None).code == 130


def test_under_github_actions_it_annotates_and_writes_the_summary(
    ours, gate, monkeypatch, tmp_path
):
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    ended = gate("Drops")
    assert ended.code == 1
    assert any(line.startswith("::error ") for line in ended.out.splitlines())
    assert summary.read_text().startswith("**tokharness gate: failed**")


def test_under_github_actions_a_report_for_people_gives_no_command(ours, gate, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    lines = gate("Drops").out.splitlines()
    word = lines[0].removeprefix("::stop-commands::")
    assert word != lines[0]
    assert f"::{word}::" in lines[1:]


def test_under_github_actions_json_stays_json(ours, gate, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    ended = gate("Drops", "--format", "json")
    assert json.loads(ended.out)
    assert "::error " in ended.err


def test_a_report_file_is_written_too(ours, gate):
    gate("Drops", "--report", "junit=gate.xml", "--report", "markdown=gate.md")
    assert "200b" in Path("gate.xml").read_text().lower()
    assert Path("gate.md").read_text().startswith("**tokharness gate: failed**")


def test_a_target_has_the_name_that_the_policy_gives_it(ours, in_project, command):
    in_project.policy(f'targets.ours.spec = "{in_project.spec("Drops")}"')
    ended = command("gate", "ours", "--jobs", "0", "--format", "json")
    assert ended.code == 1
    assert json.loads(ended.out)["gate"]["name"] == "ours"


def test_the_policy_says_where_baselines_are(ours, in_project, gate):
    ours.rename(Path("ours.json"))
    in_project.policy('baselines = "."')
    assert gate("Plain").code == 0


def test_the_policy_is_left_out_where_none_is_asked_for(ours, in_project, gate):
    in_project.policy('baselines = "elsewhere"')
    assert gate("Plain", "--config", "none").code == 0


def test_the_policy_says_how_thorough_a_run_is_before_the_baseline(ours, in_project, gate):
    in_project.policy('select = ["TOK101"]\nseed = 7')
    options = json.loads(gate("Plain", "--format", "json").out)["options"]
    assert (options["select"], options["seed"]) == (["TOK101"], 7)


def test_a_budget_that_is_exceeded_fails(ours, in_project, gate):
    in_project.policy("budgets = {Burmese = 2.0}")
    ended = gate("Plain", "--format", "json")
    assert ended.code == 1
    (change,) = changes_of(ended)
    assert (change["kind"], change["what"]) == ("over-budget", "Burmese")


def test_text_that_costs_more_than_it_did_fails(ours, gate):
    assert "metric-regression" in kinds_of(gate("Doubles", "--format", "json"))


def test_the_policy_says_what_is_tolerated(ours, in_project, gate):
    in_project.policy("tolerance = 1.0")
    assert "metric-regression" not in kinds_of(gate("Doubles", "--format", "json"))


def test_an_expectation_that_nothing_meets_fails(ours, in_project, gate):
    in_project.policy('expect = ["lossy:NFKC"]')
    assert kinds_of(gate("Plain", "--format", "json")) == {"unmet-expectation"}


def test_what_is_expected_is_no_new_finding_and_its_ids_fail_still(ours, in_project, gate):
    in_project.policy('expect = ["lossy:dropped characters"]')
    assert kinds_of(gate("Drops", "--format", "json")) == {"changed-ids"}


def test_a_mistake_in_the_policy_is_told_in_a_sentence(ours, in_project, gate):
    in_project.policy("tolerence = 1.0")
    ended = gate("Plain")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "did you mean 'tolerance'" in ended.err
