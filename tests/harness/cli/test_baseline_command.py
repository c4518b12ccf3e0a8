"""``tokharness baseline``: what a target is, written down for the gate."""

import json

import pytest

from tokharness.baseline.reading import read
from tokharness.cli import _run
from tokharness.engine.worker import dispatch
from tokharness.engine.worker.golden import golden_texts

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


def test_it_writes_what_the_target_is(baseline, path, in_project):
    ended = baseline("Plain")
    assert ended.code == 0
    assert "wrote reports/baselines/ours.json: 0 findings accepted" in ended.err
    written = read(path, "ours")
    assert (written.spec, written.fingerprint.n_vocab) == (in_project.spec("Plain"), 257)


def test_a_bug_that_is_there_is_accepted_with_the_reason(baseline, path):
    assert baseline("Drops", "--reason", "as it ever was").code == 0
    (one,) = read(path).accepted
    assert "U+200B" in one.what
    assert (one.verdict, one.reason, one.expires) == ("bug", "as it ever was", None)


def test_the_same_target_gives_the_same_file(baseline, path):
    baseline("Drops")
    first = path.read_bytes()
    baseline("Drops")
    assert path.read_bytes() == first


def test_without_a_name_it_is_called_as_its_spec(baseline, tmp_path, in_project):
    assert baseline("Plain", name=None).code == 0
    (path,) = (tmp_path / "reports" / "baselines").iterdir()
    assert read(path).name == in_project.spec("Plain")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", ".hidden", "a b\u202e", "x" * 500])
def test_no_name_leads_out_of_the_folder(baseline, tmp_path, name):
    assert baseline("Plain", name=name).code == 0
    (path,) = (tmp_path / "reports" / "baselines").iterdir()
    assert path.name.isascii()
    assert read(path).name == name


def test_a_name_that_gives_no_file_name_is_told(baseline):
    ended = baseline("Plain", name="\u4e2d")
    assert ended.code == 2
    assert "is not a usable file name" in ended.err


def test_it_is_written_where_it_is_asked_for(baseline, tmp_path):
    assert baseline("Plain", "--baseline", "mine.json").code == 0
    assert read(tmp_path / "mine.json").name == "ours"


def test_the_reasons_of_what_is_still_found_are_kept(baseline, path):
    baseline("Drops", "--reason", "first")
    baseline("DropsMore", "--reason", "second")
    assert {one.reason for one in read(path).accepted} == {"first", "second"}


def test_what_is_found_no_longer_is_not_kept(baseline, path):
    baseline("Drops")
    baseline("Plain")
    assert read(path).accepted == ()


def test_what_is_a_bug_now_is_accepted_as_one(baseline, path):
    baseline("Drops")
    path.write_text(path.read_text().replace('"verdict": "bug"', '"verdict": "risk"'))
    baseline("Drops")
    assert [one.verdict for one in read(path).accepted] == ["bug"]


def test_the_baseline_of_another_is_not_written_over(baseline, tmp_path):
    baseline("Plain", "--baseline", "mine.json")
    before = (tmp_path / "mine.json").read_bytes()
    ended = baseline("Plain", "--baseline", "mine.json", name="another")
    assert (ended.code, (tmp_path / "mine.json").read_bytes()) == (2, before)


def test_the_baseline_of_a_newer_schema_is_not_written_over(baseline, path):
    path.parent.mkdir(parents=True)
    path.write_text('{"schema_version": 99}')
    ended = baseline("Plain")
    assert (ended.code, path.read_text()) == (2, '{"schema_version": 99}')


@pytest.mark.parametrize("content", ["", "{", "def f(): pass\n"])
def test_a_file_that_is_no_baseline_is_left_as_it_is(baseline, path, content):
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert baseline("Plain").code == 2
    assert path.read_text() == content


def test_of_two_runs_at_once_the_second_is_refused(baseline, path, monkeypatch):
    run = _run.run_checks

    def meanwhile(*arguments, **options):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("of another run")
        return run(*arguments, **options)

    monkeypatch.setattr(_run, "report_of", meanwhile)
    ended = baseline("Plain")
    assert ended.code == 2
    assert "written by another run" in ended.err
    assert path.read_text() == "of another run"


def test_ctrl_c_ends_with_130_and_writes_nothing(baseline, path):
    assert baseline("Interrupted").code == 130
    assert not path.exists()


@pytest.mark.parametrize("reason", ["", " "])
def test_an_empty_reason_is_refused(baseline, path, reason):
    ended = baseline("Drops", "--reason", reason)
    assert (ended.code, path.exists()) == (2, False)
    assert "--reason" in ended.err


def test_a_folder_in_its_place_is_told(baseline, tmp_path):
    ended = baseline("Plain", "--baseline", str(tmp_path))
    assert (ended.code, ended.err.count("\n")) == (2, 1)


def test_a_target_that_cannot_be_loaded_writes_nothing(baseline, path):
    ended = baseline("Missing")
    assert (ended.code, path.exists()) == (2, False)


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


def test_what_the_policy_expects_is_no_finding_to_accept(in_project, baseline, path):
    in_project.policy('expect = ["lossy:dropped characters"]')
    baseline("Drops")
    written = read(path)
    assert written.accepted == ()
    assert any("dropped characters" in fact for fact in written.facts)


def test_the_reference_is_as_it_was(in_project, command, monkeypatch):
    monkeypatch.setattr(dispatch, "golden_texts", golden_texts)
    assert command("baseline", "reference", "--name", "ours", *FEW).code == 0
    ended = command("gate", "reference", "--name", "ours", "--jobs", "0", "--format", "json")
    assert ended.code == 0
    gate = json.loads(ended.out)["gate"]
    assert (gate["changes"], gate["golden"] > 1000) == ([], True)


@pytest.mark.slow
def test_a_target_whose_golden_texts_end_its_process_gets_no_baseline(baseline, path):
    ended = baseline("Deadly", "--jobs", "1")
    assert (ended.code, path.exists()) == (2, False)
    assert "no baseline is written" in ended.err
