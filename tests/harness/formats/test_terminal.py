"""The terminal format: no control characters, no markup, the worst findings first."""

import json
import re
from dataclasses import replace

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokharness.config import Options
from tokharness.engine.events import FindingReported, TargetStarted
from tokharness.formats.terminal import render
from tokharness.model import Cause, Finding, Verdict
from tokharness.results.report import Collector
from tokharness.results.report_record import report_of, report_record

COLOR = re.compile(r"\x1b\[[0-9;]*m")
UNSEEN = regex.compile(
    r"[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}--\n]", regex.V1
)


def is_visible(output):
    return not UNSEEN.search(output)


def test_hostile_text_is_escaped(report):
    assert is_visible(render(report, width=80, color=False))


def test_color_is_the_only_control_sequence(report):
    output = render(report, width=80, color=True)
    assert COLOR.search(output)
    assert is_visible(COLOR.sub("", output))


def test_markup_in_the_input_is_shown_literally(report):
    output = render(report, width=None, color=True)
    assert "[/red]" in output
    assert "[bold]" in output


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_any_text_is_escaped(text):
    collector = Collector(Options())
    collector.add(TargetStarted("t" + text, text, (), None, None, (), ()))
    cause = Cause("kind", (("of", text),), message=text)
    collector.add(
        FindingReported(Finding("t", "TOK999", "a-name", cause, 1, text, ("digits",), "again"))
    )
    assert is_visible(render(collector.report(), width=60, color=False))


@pytest.mark.parametrize("width", [20, 40, 80])
def test_lines_except_commands_fit_a_narrow_terminal(report, width):
    for line in render(report, width=width).splitlines():
        assert len(line) <= max(width, 28) or line.lstrip().startswith(("$ ", "python:"))


def test_the_command_is_on_one_line_in_a_narrow_terminal(make_report, make_finding):
    output = render(make_report(make_finding()), width=20)
    assert f"$ {make_finding().reproduce}\n" in output


def test_without_a_width_lines_may_be_long(make_report, make_finding):
    output = render(make_report(make_finding()), width=None)
    assert max(map(len, output.splitlines())) > 200


def test_bugs_and_risks_have_their_text_and_facts_take_a_line(report):
    lines = render(report, width=None).splitlines()
    labels = [line.split()[0] for line in lines if line[:1].strip()]
    assert labels[2:6] == ["bug", "risk", "fact", "skip"]  # after the scorecard
    assert sum("smallest text" in line for line in lines) == 2


def test_it_ends_with_the_counts(report):
    last = render(report, width=None).splitlines()[-1]
    assert "1 bug" in last
    assert "1 risk" in last


@pytest.mark.parametrize("seconds", [1.5, 0.5497, 0.0499])
def test_a_report_read_again_shows_the_same_time(make_report, make_finding, seconds):
    report = make_report(make_finding(), seconds=seconds)
    again = report_of(json.loads(json.dumps(report_record(report))))
    assert render(again, width=80, color=False) == render(report, width=80, color=False)


def test_a_long_text_is_truncated(make_report, make_finding):
    output = render(make_report(make_finding(text="x" * 10_000)), width=None)
    assert "x..." in output
    assert "x" * 200 not in output


def test_an_interrupted_run_is_marked(make_report, make_finding):
    output = render(make_report(make_finding(), interrupted=True), width=None)
    assert "interrupted" in output
    assert "not finished" in output


def test_a_run_without_bugs_passes(make_report, make_finding):
    output = render(make_report(make_finding(Verdict.FACT)), width=None)
    assert output.splitlines()[-1].startswith("passed")


def test_many_risks_of_one_check_take_a_line_each(make_report, make_finding):
    cause = [Cause("k", (("n", str(n)),), Verdict.RISK, f"risk {n}") for n in range(5)]
    output = render(make_report(*(make_finding(cause=one, text="x") for one in cause)), width=80)
    assert "TOK999 a-name: 5 risks\n" in output
    assert all(output.count(f"- risk {n}\n") == 1 for n in range(3))
    assert "- and 2 more: run the command below for all\n" in output
    assert output.count("$ ") == 1


def test_many_facts_of_one_check_are_counted(make_report, make_finding):
    causes = [Cause("kind", (("n", str(n)),), Verdict.FACT, f"fact number {n}") for n in range(7)]
    output = render(make_report(*(make_finding(cause=cause) for cause in causes)), width=80)
    assert output.count("fact number") == 3
    assert "fact    TOK999 and 4 more: add --select TOK999 for all" in output


def test_facts_are_a_table_of_checks_kinds_and_facts(make_report, make_finding):
    words = "word " * 30
    causes = [Cause("a kind", (), Verdict.FACT, words), Cause("kind" * 8, (), Verdict.FACT, "x")]
    report = make_report(*(make_finding(cause=cause) for cause in causes))
    lines = render(report, width=120).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("fact    TOK999 a kind  word"))
    column = lines[at].index("word")
    assert lines[at + 1][:column].isspace()
    assert lines[at + 1][column:].startswith("word word")
    assert any(line.startswith(f"fact    TOK999 {' ' * 8}{'kind' * 8}: x") for line in lines)
    assert "fact    TOK999 word word" in render(report, width=80)


def test_many_bugs_of_one_check_keep_their_smallest_texts(make_report, make_finding):
    cause = [Cause("k", (("n", str(n)),), Verdict.BUG, f"bug {n}") for n in range(5)]
    output = render(make_report(*(make_finding(cause=one, text="x") for one in cause)), width=80)
    assert output.count('smallest text "x"') == 5


def test_a_finding_without_a_text_has_no_empty_line(make_report, make_finding):
    output = render(
        make_report(make_finding(Verdict.RISK, None, families=(), other_checks=())), width=80
    )
    assert "\n\n" not in output.partition("TOK999")[2].partition("$ ")[0]


def test_an_earlier_run_failed_and_not_the_command_that_shows_it(make_report, make_finding):
    report = make_report(make_finding(Verdict.BUG))
    earlier = replace(report, is_earlier=True)
    assert render(report, width=80).splitlines()[-1].startswith("failed: 1 bug")
    assert render(earlier, width=80).splitlines()[-1].startswith("the run failed: 1 bug")


def test_the_parts_of_a_conversation_are_shown_if_its_check_is_selected(make_report, make_finding):
    parts = [{"part": "user content", "text": "a\u200b", "ids": "7 8"}, {"part": 1}]
    report = make_report(make_finding(evidence={"conversation": parts}))
    line = "        user content  a\\u{200b}  7 8"
    assert line not in render(report).splitlines()
    assert line in render(replace(report, options=Options(select=("TOK512",)))).splitlines()
