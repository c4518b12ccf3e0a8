"""Verdicts, in every format: a word for each, those of several targets, what to do next."""

import re
from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.formats._overview import overview
from tokharness.model import Cause, Verdict


@pytest.mark.parametrize("name", plugins.formats())
def test_a_fact_is_called_a_fact(name, report):
    output = plugins.formats()[name].render(report)
    without_documentation = output.partition('id="checks"')[0].replace("is by design, and", "")
    assert "by design" not in without_documentation.lower()


@pytest.mark.parametrize("name", ["terminal", "markdown", "csv", "json", "jsonl", "junit", "html"])
def test_every_verdict_is_shown(name, report):
    output = plugins.formats()[name].render(report)
    assert set(re.findall(r"\b(bug|risk|fact)s?\b", output)) == {"bug", "risk", "fact"}


@pytest.mark.parametrize("name", ["terminal", "markdown", "github", "junit", "json", "html"])
def test_a_failing_change_shows_what_to_do_next(name, make_gate, make_change):
    command = "tokharness audit old.json new.json  # list the tokens that differ"
    output = plugins.formats()[name].render(make_gate(make_change(next=(command,))))
    assert command in output


def several(*reports):
    """A report of the targets of several reports, each with another spec."""
    targets = [
        replace(one, started=replace(one.started, spec=f"target-{number}"))
        for number, report in enumerate(reports, 1)
        for one in report.targets
    ]
    return replace(reports[0], targets=tuple(targets))


def test_several_targets_have_a_row_each_with_verdict_counts_and_first_bugs(
    make_report, make_finding
):
    causes = [Cause(f"kind-{number}") for number in range(7)]
    failed = make_report(*(make_finding(cause=cause, text="a") for cause in causes))
    one, two = overview(several(failed, make_report(make_finding(Verdict.FACT))))
    assert (one.word, one.counts) == ("failed", "7 bugs, 0 risks, 0 facts, 1 skipped")
    assert one.bugs == {n + 1: f"TOK999 a-name: kind-{n}" for n in range(5)}
    assert one.more == "and 2 more bugs"
    assert (two.word, two.bugs, two.more) == ("passed", {}, "")


def test_a_target_that_was_not_finished_has_not_passed(make_report, make_finding):
    first, second = (make_report(interrupted=not_finished) for not_finished in (False, True))
    assert [row.word for row in overview(several(first, second))] == ["passed", "not finished"]


@pytest.mark.parametrize("name", ["terminal", "markdown", "html"])
def test_several_targets_are_summed_up_first_and_in_a_terminal_last(
    name, make_report, make_finding
):
    report = several(make_report(make_finding(text="a")), make_report())
    lines = plugins.formats()[name].render(report).splitlines()
    row = re.compile("failed.*target-1|target-1.*failed")
    (at, *_) = [number for number, line in enumerate(lines) if row.search(line)]
    details = next(n for n, line in enumerate(lines) if "smallest text" in line.lower())
    assert (at > details) is (name == "terminal")


def test_a_single_target_has_no_overview(make_report):
    assert overview(make_report()) == []
