"""``tokharness.check``: the same run as that of the command."""

import json
import sys
from math import nan

import pytest

import tokharness
from tokharness import NothingCheckedError, TargetError, UnknownNameError, UsageError, Verdict, cli
from tokharness.engine.events import SkipRecorded
from tokharness.library import running
from tokharness.model import Skip

FAULTY = "python:tokharness_tokenizers.demo:drops_zero_width_space"
RUN_TWICE = ("created", "timings")
"""Keys of a report that differ between two runs."""


@pytest.fixture(scope="module", name="report")
def _report(few):
    options = {**few, "select": ["TOK101", "TOK201"]}
    return tokharness.check(FAULTY, against="tiktoken:embedded", jobs=0, **options)


def test_findings_are_data_by_verdict(report):
    assert report.spec == FAULTY
    assert report.against == "tiktoken:embedded"
    (bug,) = report.bugs
    assert (bug.code, bug.text, bug.verdict) == ("TOK101", "\u200b", Verdict.BUG)
    assert report.risks == ()
    assert report.findings == (*report.bugs, *report.facts)
    assert report.skips == ()
    assert not report.ok


def test_it_prints_as_the_command_does(report):
    assert "bug     TOK101 lossy-round-trip: dropped characters: U+200B" in str(report)
    assert repr(report) == f"<CheckReport of {FAULTY}, bug: 1, risk: 0, fact: 1, skipped: 0>"


@pytest.mark.slow
def test_the_plain_data_is_the_json_of_the_command(report, few, monkeypatch, capsys):
    words = ["--select", "TOK101,TOK201", "--against", "tiktoken:embedded", "--jobs", "0"]
    words += ["--profile", few["profile"], "--family", few["families"], "--examples", "0"]
    words += ["--config", "none", "--format", "json"]
    monkeypatch.setattr(sys, "argv", ["tokharness", "check", FAULTY, *words])
    with pytest.raises(SystemExit):
        cli.main()
    printed, record = json.loads(capsys.readouterr().out), report.to_dict()
    assert printed.keys() == record.keys()
    # The command replays the regressions of the working directory.
    assert printed["options"].pop("regressions")
    assert record["options"].pop("regressions") is None
    assert {key for key in record if record[key] != printed[key]} <= set(RUN_TWICE)


def test_a_report_is_saved_in_the_format_of_its_suffix_or_another(report, tmp_path):
    report.save(tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == report.to_dict()
    report.save(str(tmp_path / "r.html"))
    assert (tmp_path / "r.html").read_text() == report.render("html")
    report.save(tmp_path / "notes.txt", format="markdown")
    assert (tmp_path / "notes.txt").read_text() == report.render("markdown")
    with pytest.raises(UnknownNameError, match="no format is called 'txt'"):
        report.save(tmp_path / "r.txt")
    with pytest.raises(FileNotFoundError):
        report.save(tmp_path / "missing" / "r.json")


@pytest.mark.slow
def test_a_report_is_ok_below_fail_on(few):
    report = tokharness.check("reference", **few, jobs=0)
    assert report.ok
    assert report.findings == ()
    assert tokharness.check(FAULTY, **few, jobs=0, fail_on="never").ok


def test_skips_are_data(few):
    report = tokharness.check(FAULTY, **{**few, "select": ("TOK101", "TOK201")}, jobs=0)
    assert [skip.what for skip in report.skips] == ["TOK201 ids-differ-from-reference"]
    assert "no automatic reference" in report.skips[0].reason


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"select": "TOK999"}, UnknownNameError, "no check is called 'TOK999'"),
        ({"families": ["emojis"]}, UnknownNameError, "did you mean 'emoji'"),
        ({"profile": "fast"}, UnknownNameError, "no profile is called 'fast'"),
        ({"fail_on": "bugs"}, UnknownNameError, "did you mean 'bug'"),
        ({"against": "tiktokn:embedded"}, UnknownNameError, "did you mean 'tiktoken'"),
        ({"select": ""}, UsageError, "select has an empty value"),
        ({"ignore": ["TOK1", " "]}, UsageError, "ignore has an empty value"),
        ({"select": "TOK101", "ignore": "TOK"}, UsageError, "no check is left"),
        ({"examples": -1}, UsageError, "examples takes a number from 0 on"),
        ({"time_limit": nan}, UsageError, r"time_limit takes seconds from 0\.1 to 86400"),
        ({"memory_limit": "2X"}, UsageError, "memory_limit takes a size"),
        ({"memory_limit": 1}, UsageError, "memory_limit takes a size"),
        ({"jobs": -1}, UsageError, "jobs takes a number from 0 to 256"),
        ({"against": "python:no_such.py:T"}, TargetError, r"there is no file no_such\.py"),
    ],
)
def test_an_invalid_argument_is_an_error(few, options, error, message):
    with pytest.raises(error, match=message):
        tokharness.check("reference", **{**few, "jobs": 0, **options})


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [0, 1])
def test_a_target_that_cannot_be_loaded_is_a_target_error(folder, few, jobs):
    (folder / "fails.py").write_text("def make(): raise ValueError('no')\n")
    with pytest.raises(TargetError, match="no_such") as missing:
        tokharness.check("python:no_such.py:T", **few, jobs=jobs)
    with pytest.raises(TargetError, match="ValueError: no") as failing:
        tokharness.check("python:fails.py:make", **few, jobs=jobs)
    assert (missing.value.failure, failing.value.failure) == ("", "ValueError")


def test_a_run_that_checked_nothing_is_an_error(few):
    with pytest.raises(NothingCheckedError):
        tokharness.check("reference", **{**few, "families": "regressions"}, jobs=0)


def test_an_interrupt_is_raised_and_ends_the_run(monkeypatch, few):
    closed = []

    def events(*_, **__):
        try:
            yield SkipRecorded(Skip("reference", "what", "why"))
            raise KeyboardInterrupt
        finally:
            closed.append(True)

    monkeypatch.setattr(running, "run", events)
    with pytest.raises(KeyboardInterrupt):
        tokharness.check("reference", **few)
    assert closed == [True]
    monkeypatch.undo()
    assert tokharness.check("reference", **few, jobs=0).ok, "another run may follow"
