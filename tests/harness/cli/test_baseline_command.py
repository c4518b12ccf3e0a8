"""``tokharness baseline``: the file that the gate compares with."""

import json

import pytest

from tokharness.baseline.reading import read
from tokharness.cli import _run
from tokharness.engine.worker.operations import snapshot
from tokharness.engine.worker.snapshots import golden_texts

FEW = (
    *("--family", "zero-width", "--select", "TOK101", "--profile", "quick", "--examples", "0"),
    *("--jobs", "0"),
)


@pytest.fixture
def baseline(in_project, command):
    """Run ``tokharness baseline`` on a tokenizer."""

    def run(factory, *words, name="ours"):
        named = ("--name", name) if name else ()
        return command("baseline", in_project.spec(factory), *named, *FEW, *words)

    return run


@pytest.fixture
def path(tmp_path):
    return tmp_path / "reports" / "baselines" / "ours.json"


@pytest.mark.slow
def test_the_baseline_has_ids_metrics_and_fingerprint(baseline, path, in_project):
    outcome = baseline("Plain")
    assert outcome.code == 0
    assert "wrote reports/baselines/ours.json: 0 findings accepted" in outcome.err
    written = read(path, "ours")
    assert (written.spec, written.fingerprint.n_vocab) == (in_project.spec("Plain"), 257)


def test_a_present_bug_is_accepted_with_the_reason(baseline, path):
    assert baseline("Drops", "--reason", "as it ever was").code == 0
    (one,) = read(path).accepted
    assert "U+200B" in one.what
    assert (one.verdict, one.reason, one.expires) == ("bug", "as it ever was", None)


def test_a_baseline_that_is_written_has_not_failed(baseline):
    outcome = baseline("Drops")
    assert "\npassed: 1 bug" in outcome.out
    assert "wrote reports/baselines/ours.json: 1 finding accepted" in outcome.err


@pytest.mark.slow
def test_the_same_target_gives_the_same_file(baseline, path):
    baseline("Drops")
    first = path.read_bytes()
    baseline("Drops")
    assert path.read_bytes() == first


def test_the_name_defaults_to_the_spec(baseline, tmp_path, in_project):
    assert baseline("Plain", name=None).code == 0
    (path,) = (tmp_path / "reports" / "baselines").iterdir()
    assert read(path).name == in_project.spec("Plain")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", ".hidden", "a b\u202e", "x" * 500])
def test_no_name_leaves_the_folder(baseline, tmp_path, name):
    assert baseline("Plain", name=name).code == 0
    (path,) = (tmp_path / "reports" / "baselines").iterdir()
    assert path.name.isascii()
    assert read(path).name == name


def test_a_name_without_a_file_name_is_an_error(baseline):
    outcome = baseline("Plain", name="\u4e2d")
    assert outcome.code == 2
    assert "is not a usable file name" in outcome.err


def test_the_baseline_option_sets_the_path(baseline, tmp_path):
    assert baseline("Plain", "--baseline", "mine.json").code == 0
    assert read(tmp_path / "mine.json").name == "ours"


@pytest.mark.slow
def test_reasons_of_present_findings_are_kept(baseline, path):
    baseline("Drops", "--reason", "first")
    baseline("DropsMore", "--reason", "second")
    assert {one.reason for one in read(path).accepted} == {"first", "second"}


@pytest.mark.slow
def test_acceptances_of_missing_findings_are_removed(baseline, path):
    baseline("Drops")
    baseline("Plain")
    assert read(path).accepted == ()


@pytest.mark.slow
def test_a_risk_that_is_now_a_bug_is_accepted_as_a_bug(baseline, path):
    baseline("Drops")
    path.write_text(path.read_text().replace('"verdict": "bug"', '"verdict": "risk"'))
    baseline("Drops")
    assert [one.verdict for one in read(path).accepted] == ["bug"]


def test_the_baseline_of_another_target_is_not_overwritten(baseline, tmp_path):
    baseline("Plain", "--baseline", "mine.json")
    before = (tmp_path / "mine.json").read_bytes()
    outcome = baseline("Plain", "--baseline", "mine.json", name="another")
    assert (outcome.code, (tmp_path / "mine.json").read_bytes()) == (2, before)


def test_the_baseline_of_a_newer_schema_is_not_overwritten(baseline, path):
    path.parent.mkdir(parents=True)
    path.write_text('{"schema_version": 99}')
    outcome = baseline("Plain")
    assert (outcome.code, path.read_text()) == (2, '{"schema_version": 99}')


@pytest.mark.parametrize("content", ["", "{", "def f(): pass\n"])
def test_a_file_that_is_not_a_baseline_is_unchanged(baseline, path, content):
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert baseline("Plain").code == 2
    assert path.read_text() == content


def test_the_second_of_two_concurrent_runs_is_refused(baseline, path, monkeypatch):
    run = _run.run_checks

    def meanwhile(*arguments, **options):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("of another run")
        return run(*arguments, **options)

    monkeypatch.setattr(_run, "run_checks", meanwhile)
    outcome = baseline("Plain")
    assert outcome.code == 2
    assert "another run wrote" in outcome.err
    assert path.read_text() == "of another run"


def test_ctrl_c_ends_with_130_and_writes_nothing(baseline, path):
    assert baseline("Interrupted").code == 130
    assert not path.exists()


@pytest.mark.parametrize("reason", ["", " "])
def test_an_empty_reason_is_refused(baseline, path, reason):
    outcome = baseline("Drops", "--reason", reason)
    assert (outcome.code, path.exists()) == (2, False)
    assert "--reason" in outcome.err


def test_a_folder_at_the_path_is_an_error(baseline, tmp_path):
    outcome = baseline("Plain", "--baseline", str(tmp_path))
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)


def test_a_target_that_cannot_be_loaded_writes_nothing(baseline, path):
    outcome = baseline("Missing")
    assert (outcome.code, path.exists()) == (2, False)


def test_the_report_of_the_run_is_the_output(baseline):
    record = json.loads(baseline("Drops", "--format", "json").out)
    assert [one["code"] for one in record["findings"] if one["verdict"] == "bug"] == ["TOK101"]


def test_the_policy_names_target_profile_and_folder(in_project, command, tmp_path):
    in_project.policy(
        f"""
        profile = "quick"
        family = ["zero-width"]
        select = ["TOK101"]
        examples = 0
        jobs = 0
        baselines = "kept"
        targets.ours.spec = "{in_project.spec("Plain")}"
        """
    )
    assert command("baseline", "ours").code == 0
    run = read(tmp_path / "kept" / "ours.json", "ours").run
    assert (run.profile, run.families, run.select) == ("quick", ("zero-width",), ("TOK101",))


def test_expected_findings_are_not_accepted(in_project, baseline, path):
    in_project.policy('expect = ["lossy:dropped characters"]')
    baseline("Drops")
    written = read(path)
    assert written.accepted == ()
    assert any("dropped characters" in fact for fact in written.facts)


def test_an_expectation_without_a_finding_is_named_since_the_gate_will_fail(in_project, baseline):
    in_project.policy('expect = ["lossy:NFKC"]')
    assert "no finding meets the expectation 'lossy:NFKC'" in baseline("Plain").err


def test_the_reference_matches_its_baseline(in_project, command, monkeypatch):
    monkeypatch.setattr(snapshot, "golden_texts", golden_texts)
    assert command("baseline", "reference", "--name", "ours", *FEW).code == 0
    outcome = command("gate", "reference", "--name", "ours", "--jobs", "0", "--format", "json")
    assert outcome.code == 0
    gate = json.loads(outcome.out)["gate"]
    assert (gate["changes"], gate["golden_texts"] > 1000) == ([], True)


@pytest.mark.slow
@pytest.mark.nightly
def test_a_target_that_crashes_on_golden_texts_gets_no_baseline(baseline, path):
    outcome = baseline("Crashes", "--jobs", "1")
    assert (outcome.code, path.exists()) == (2, False)
    assert "no baseline was written" in outcome.err
