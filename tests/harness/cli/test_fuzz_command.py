"""``tokharness fuzz``: limits, output, and regressions that later runs replay."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.cli import fuzz_command
from tokharness.engine.fuzz import Budget

WORDS = ("--jobs", "0", "--profile", "quick", "--select", "TOK101", "--against", "none")
REGRESSIONS = Path("cases/regressions/lossy-round-trip.jsonl")
HOSTILE = """
class Loses:
    def encode(self, text):
        return list(text.replace("\\x1b[31m", "").encode("utf-8", "surrogatepass"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "surrogatepass")

class Raises(Loses):
    def encode(self, text):
        if any("\\u13a0" <= one < "\\u1400" for one in text):
            raise ValueError("\\x1b[31mred\\u202e")
        return super().encode(text)
"""


@pytest.fixture
def fuzz(in_project, command, monkeypatch):
    """Fuzz a tokenizer in the folder of a project, in this process."""

    def run(factory, *words, texts=2100):
        # Who draws texts in this process sets it; a command is a new process.
        monkeypatch.delenv("HYPOTHESIS_STORAGE_DIRECTORY", raising=False)
        budget = () if "--max-time" in words else ("--max-examples", str(texts))
        return command("fuzz", in_project.spec(factory), *budget, *WORDS, *words)

    return run


@pytest.fixture
def hostile(in_project, command):
    """Fuzz a tokenizer whose faults have texts that attack a terminal."""
    Path("hostile.py").write_text(HOSTILE)
    few = ("--jobs", "0", "--profile", "quick", "--select", "TOK101,TOK102")
    few += ("--max-examples", "2000", "--database", "none", "--family", "bidi,controls")
    return lambda factory: command("fuzz", f"python:hostile.py:{factory}", *few)


def files(folder="."):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*.jsonl"))


def test_a_finding_is_reported_written_and_replayed(fuzz, in_project, command):
    outcome = fuzz("Drops")
    assert outcome.code == 1
    assert "dropped characters: U+200B" in outcome.out
    assert f"wrote {REGRESSIONS}" in outcome.err
    (line,) = REGRESSIONS.read_text("ascii").splitlines()
    record = json.loads(line)
    assert (record["text"], record["check"]) == ("\u200b", "TOK101")
    assert record["source"] == f"tokharness fuzz {in_project.spec('Drops')} --seed 0"
    few = ("--family", "regressions", "--examples", "0", *WORDS)
    assert command("check", in_project.spec("Drops"), *few).code == 1
    assert command("check", in_project.spec("Plain"), *few).code == 0


@pytest.mark.slow
def test_findings_are_reported_where_their_texts_cannot_be_written(fuzz):
    Path("cases").write_text("a file in the place of the folder")
    outcome = fuzz("Drops")
    assert outcome.code == 2
    assert "dropped characters: U+200B" in outcome.out
    assert "cannot " in outcome.err.splitlines()[-1]
    assert str(REGRESSIONS.parent) in outcome.err.splitlines()[-1]


@pytest.mark.slow
def test_a_campaign_that_is_not_saved_is_not_continued(fuzz, monkeypatch):
    from hypothesis.database import DirectoryBasedExampleDatabase

    # Hypothesis passes over a full disk.
    monkeypatch.setattr(DirectoryBasedExampleDatabase, "save", lambda *_: None)
    outcome = fuzz("Drops")
    assert "the example database cannot be written" in outcome.out
    assert "to continue this campaign" not in outcome.out


@pytest.mark.slow
def test_a_second_run_changes_no_file(fuzz):
    fuzz("Drops", "--database", "none")
    first = REGRESSIONS.read_bytes()
    again = fuzz("Drops", "--database", "none")
    assert again.code == 1
    assert "wrote" not in again.err
    assert REGRESSIONS.read_bytes() == first


def test_a_run_without_findings_writes_no_regression(fuzz):
    outcome = fuzz("Plain", texts=600)
    assert outcome.code == 0
    assert files() == []


@pytest.mark.slow
def test_only_the_database_and_regressions_are_written(fuzz):
    fuzz("Drops")
    assert sorted(path.name for path in Path().iterdir()) == [".hypothesis", "cases"]
    assert [path.name for path in Path(".hypothesis").iterdir()] == ["examples"]
    assert files("cases") == ["regressions/lossy-round-trip.jsonl"]


def test_without_a_database_no_corpus_is_saved(fuzz):
    fuzz("Plain", "--database", "none", texts=300)
    assert list(Path().iterdir()) == []


def campaign(outcome):
    (target,) = json.loads(outcome.out)["targets"]
    return target["campaign"]


def test_a_second_campaign_continues_the_database(fuzz):
    words = ("--database", "kept", "--format", "json")
    first, second = (campaign(fuzz("Plain", *words, texts=300)) for _ in range(2))
    assert (first["first_round"], first["end_round"], second["first_round"]) == (0, 1, 1)
    assert sorted(path.name for path in Path().iterdir()) == ["kept"]


@pytest.mark.slow
def test_the_policy_sets_the_folder_of_regressions(fuzz, in_project):
    in_project.policy('regressions = "kept"')
    fuzz("Drops")
    assert files() == ["kept/lossy-round-trip.jsonl"]


def test_a_database_that_cannot_be_written_is_an_error(fuzz):
    Path("file").touch()
    outcome = fuzz("Plain", "--database", "file/examples", texts=10)
    assert outcome.code == 2
    assert outcome.err.startswith("tokharness: error: cannot write the example database file/")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("word", "seconds"), [("90", 90), ("90s", 90), ("5m", 300), ("1.5h", 5400), (" 2m ", 120)]
)
def test_a_time_has_a_unit(word, seconds):
    assert fuzz_command._budget(word, None) == Budget(seconds, None)


def test_a_time_and_a_number_of_examples_are_both_limits():
    assert fuzz_command._budget("1m", 7) == Budget(60.0, 7)


@pytest.mark.parametrize(("examples", "budget"), [(None, Budget(60.0)), (7, Budget(None, 7))])
def test_a_number_of_examples_without_a_time_is_the_limit(examples, budget):
    assert fuzz_command._budget(None, examples) == budget


@pytest.mark.parametrize("word", ["", "0", "0s", "-5s", "5x", "1h30m", "m", "\u0665m", "\x1b[31m"])
def test_an_invalid_time_is_an_error(fuzz, word):
    outcome = fuzz("Plain", "--max-time", word)
    assert (outcome.code, outcome.out) == (2, "")
    assert "--max-time takes a time such as 90s, 5m or 1h, not " in outcome.err
    assert "\x1b" not in outcome.err


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_an_invalid_number_of_examples_is_an_error(command, number):
    outcome = command("fuzz", "reference:embedded", f"--max-examples={number}")
    assert outcome.code == 2
    assert "--max-examples" in outcome.err


def test_a_time_limit_ends_the_campaign(fuzz):
    outcome = fuzz("Plain", "--max-time", "0.2s", "--format", "json")
    assert 0.2 <= campaign(outcome)["seconds"] < 20


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("no-such:target",), "no-such"),
        (("python:no_such_file.py:X",), "no_such_file.py"),
        (("reference:embedded", "--family", "digit"), "did you mean 'digits'"),
        (("reference:embedded", "--select", "TOK999"), "TOK999"),
        (("reference:embedded", "--format", "htlm"), "htlm"),
        (("reference:embedded", "other:target"), "other:target"),
    ],
)
def test_a_usage_error_is_one_line_and_writes_nothing(in_project, command, words, message):
    outcome = command("fuzz", "--max-examples", "10", "--jobs", "0", "--database", "none", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err
    assert list(Path().iterdir()) == []


@pytest.mark.slow
def test_the_report_has_the_campaign(fuzz):
    summary = campaign(fuzz("Drops", "--format", "json"))
    assert summary["texts"] == sum(summary["sources"].values()) <= 2100
    assert summary["features"]["tokens"] > 100
    (cause,) = summary["discovered"]
    assert (cause["code"], "\u200b" in cause["text"]) == ("TOK101", True)


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", plugins.formats())
def test_every_format_renders_a_campaign(fuzz, name):
    outcome = fuzz("Drops", "--format", name)
    assert outcome.code == 1
    assert outcome.out


def test_text_formats_have_texts_and_features_of_the_campaign(fuzz):
    out = fuzz("Plain", texts=300).out
    assert "rounds 0 to 0 of seed 0" in out
    assert "token pairs" in out


@pytest.mark.slow
def test_a_cause_is_printed_when_it_is_discovered(fuzz):
    (line,) = (one for one in fuzz("Drops").err.splitlines() if "TOK101" in one)
    assert "TOK101 lossy-round-trip: dropped characters: U+200B ZERO WIDTH SPACE" in line


@pytest.mark.slow
@pytest.mark.parametrize("factory", ["Loses", "Raises"])
def test_hostile_text_is_escaped(hostile, factory):
    outcome = hostile(factory)
    assert outcome.code == 1
    for char in "\x1b\u202e":
        assert char not in outcome.err
        assert char not in outcome.out


@pytest.mark.slow
@pytest.mark.parametrize(("words", "code"), [((), 1), (("--fail-on", "never"), 0)])
def test_fail_on_sets_what_fails(fuzz, words, code):
    assert fuzz("Drops", *words).code == code


@pytest.mark.slow
def test_ctrl_c_reports_and_saves_findings(in_project, tmp_path):
    argv = [sys.executable, "-m", "tokharness", "fuzz", in_project.spec("Drops")]
    argv += ["--max-time", "10m", "--select", "TOK101", "--jobs", "1", "--profile", "quick"]
    with subprocess.Popen(
        argv, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr:
            if "TOK101" in line:
                break
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "dropped characters: U+200B" in out
    assert "\u200b" in json.loads(REGRESSIONS.read_text("ascii").splitlines()[0])["text"]


@pytest.mark.slow
def test_a_short_campaign_with_all_checks_passes(process, in_project):
    words = ("--max-time", "2s", "--jobs", "1", "--profile", "quick")
    outcome = process(sys.executable, "-m", "tokharness", "fuzz", "reference:embedded", *words)
    assert outcome.returncode == 0
    assert [path.name for path in Path().iterdir()] == [".hypothesis"]
