"""Workflow commands: one per line, and none from a hostile text."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness import plugins
from tokharness.changes import Renderings
from tokharness.cli import _output
from tokharness.config import Options
from tokharness.formats.github import render
from tokharness.model import Cause, Verdict
from tokharness.results.report import Collector

COMMAND = re.compile(r"::(error|warning|notice) ((?:file=[^,:\n]*,line=1,)?title=[^,:\n]*)::(.*)")


def read(output):
    """Levels, properties and messages, as GitHub's runner reads them."""
    commands = []
    for line in output.splitlines():
        level, properties, message = COMMAND.fullmatch(line).groups()
        pairs = (word.split("=", 1) for word in properties.split(","))
        commands.append(
            (level, {key: unescaped(value) for key, value in pairs}, unescaped(message))
        )
    return commands


def unescaped(value):
    for escape, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        value = value.replace(escape, char)
    return value


def numbered(make_finding, verdict, count):
    causes = [Cause("kind", (("n", str(n)),), verdict, f"message {n}") for n in range(count)]
    return [make_finding(cause=cause) for cause in causes]


def test_bugs_are_errors_and_risks_are_warnings(report):
    assert [level for level, _, _ in read(render(report))] == ["error", "warning"]


def test_an_annotation_has_cause_text_target_and_command(report, make_finding):
    (_, properties, message), _ = read(render(report))
    assert properties["title"].startswith("TOK999 a-name: a kind: ")
    lines = message.splitlines()
    assert "smallest text" in lines[0]
    assert lines[1].startswith("target: python:")
    assert lines[2] == make_finding().reproduce


def test_the_location_is_that_of_the_target(report):
    spec = report.targets[0].started.spec
    (_, properties, _), _ = read(render(replace(report, locations={spec: "a,b:c/d%.py"})))
    assert properties["file"] == "a,b:c/d%.py"
    assert properties["line"] == "1"


def test_without_a_location_there_is_no_file(report):
    (_, properties, _), _ = read(render(report))
    assert properties.keys() == {"title"}


def test_a_run_without_problems_prints_nothing(make_report, make_finding):
    assert render(make_report(make_finding(Verdict.FACT))) == ""
    assert render(Collector(Options()).report()) == ""


def test_a_notice_counts_annotations_beyond_ten_of_a_level(make_report, make_finding):
    bugs = numbered(make_finding, Verdict.BUG, 13)
    risks = numbered(make_finding, Verdict.RISK, 11)
    commands = read(render(make_report(*risks, *bugs)))
    levels = [level for level, _, _ in commands]
    assert levels == ["error"] * 10 + ["warning"] * 10 + ["notice"]
    assert commands[-1][2].startswith("3 errors and 1 warning omitted")


def test_ten_of_a_level_need_no_notice(make_report, make_finding):
    assert "notice" not in render(make_report(*numbered(make_finding, Verdict.BUG, 10)))


def test_an_interrupted_run_is_an_error_within_the_ten(make_report, make_finding):
    bugs = numbered(make_finding, Verdict.BUG, 10)
    commands = read(render(make_report(*bugs, interrupted=True)))
    assert commands[0][1] == {"title": "tokharness: interrupted"}
    assert [level for level, _, _ in commands] == ["error"] * 10 + ["notice"]
    assert commands[-1][2].startswith("1 error omitted")


def test_a_long_title_is_truncated_between_escapes(make_report, make_finding):
    cause = Cause("kind", (("of", "\u200b" * 200),))
    (_, properties, _), *_ = read(render(make_report(make_finding(cause=cause))))
    assert len(properties["title"]) <= 255
    assert properties["title"].endswith("\\u{200b}...")


def test_failing_changes_of_a_gate_are_errors(make_gate, make_change):
    (command,) = read(render(make_gate(make_change(), make_change(fails=False))))
    assert command[0] == "error"
    assert command[1]["title"].startswith("changed ids: what ")


def test_a_changed_rendering_has_its_conversation_and_what_differs(make_gate, make_change):
    pair = Renderings('[{"role": "user"}]', f"{'a' * 80}<|user|>", f"{'a' * 80}<|u|>")
    change = make_change("changed-rendering", fails=True, renderings=pair)
    ((_, _, message),) = read(render(make_gate(change)))
    a = "a" * 9
    assert f'conversation [{{"role": "user"}}]: ...{a}<|u|>, was ...{a}<|user|>' in message


@pytest.mark.slow
@given(st.text(st.characters(exclude_categories=())) | st.just("a\n::error::b\r##[group]%0A::"))
@settings(max_examples=40)
def test_no_text_becomes_a_command_or_is_invisible(reports_of_text, shows_itself, text):
    check, gate = map(render, reports_of_text(text))
    assert shows_itself(check + gate)
    assert [level for level, _, _ in read(check)] == ["error", "warning"]
    assert [level for level, _, _ in read(gate)] == ["error", "error"]


@pytest.fixture
def on_github(monkeypatch, tmp_path):
    """Set the environment of a step; return the file of its summary."""
    path = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


def test_in_a_step_annotations_are_printed_and_the_summary_is_extended(on_github, report, capsys):
    on_github.write_text("before\n")
    assert _output.annotate_github(report) == []
    assert capsys.readouterr().out == render(report)
    markdown = plugins.formats()["markdown"].render(report, width=None, color=False)
    assert on_github.read_text("utf-8") == "before\n" + markdown


def test_outside_of_a_step_nothing_is_written(on_github, report, capsys, monkeypatch):
    monkeypatch.delenv("GITHUB_ACTIONS")
    assert _output.annotate_github(report) == []
    assert capsys.readouterr().out == ""
    assert not on_github.exists()


def test_a_step_without_a_summary_has_annotations(on_github, report, capsys, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert _output.annotate_github(report) == []
    assert capsys.readouterr().out


def test_a_summary_that_cannot_be_written_is_an_error(on_github, report, capsys):
    on_github.mkdir()
    (error,) = _output.annotate_github(report)
    assert "cannot write a report to" in error


@pytest.mark.slow
def test_a_summary_is_truncated_to_the_limit_of_a_step(
    on_github, make_report, make_finding, capsys
):
    on_github.write_bytes(b"x" * 1_000_000 + b"\n")
    findings = [make_finding(cause=Cause("kind", (("n", str(n)),))) for n in range(1000)]
    assert _output.annotate_github(make_report(*findings)) == []
    written = on_github.read_bytes()
    assert 1_040_000 < len(written) <= 1 << 20
    assert written.endswith(_output.TRUNCATED.encode())
    assert _output.annotate_github(make_report(*findings)) == []
    assert len(on_github.read_bytes()) <= 1 << 20


def test_annotations_go_to_the_given_stream(on_github, report, capsys):
    import sys

    _output.annotate_github(report, sys.stderr)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == render(report)
