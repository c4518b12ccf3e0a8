"""A report is collected from events, also of an unfinished run, and decides the exit code."""

import pytest

from tokharness.config import Options
from tokharness.engine.events import FamilyFinished, FindingReported, TargetFinished, TargetStarted
from tokharness.model import Cause, Finding, Verdict
from tokharness.results.report import Collector, exit_code


def report_with(*verdicts, interrupted=False):
    collector = Collector(Options())
    collector.add(TargetStarted("x", None, (), None, None, (), ()))
    for verdict in verdicts:
        cause = Cause("kind", verdict=verdict)
        collector.add(FindingReported(Finding("x", "TOK999", "name", cause, 1, None, (), "")))
    return collector.report(interrupted=interrupted)


@pytest.mark.parametrize(
    ("verdicts", "fail_on", "code"),
    [
        ([], "bug", 0),
        ([], "risk", 0),
        ([], "never", 0),
        ([Verdict.BUG], "bug", 1),
        ([Verdict.BUG], "risk", 1),
        ([Verdict.BUG], "never", 0),
        ([Verdict.RISK], "bug", 0),
        ([Verdict.RISK], "risk", 1),
        ([Verdict.RISK], "never", 0),
        ([Verdict.FACT], "bug", 0),
        ([Verdict.FACT], "risk", 0),
        ([Verdict.FACT, Verdict.RISK, Verdict.BUG], "bug", 1),
    ],
)
def test_the_exit_code_is_1_for_findings_of_the_verdict_fail_on_or_worse(verdicts, fail_on, code):
    assert exit_code(report_with(*verdicts), fail_on) == code


@pytest.mark.parametrize("fail_on", ["bug", "risk", "never"])
def test_an_interrupted_run_exits_with_130(fail_on):
    assert exit_code(report_with(Verdict.BUG, interrupted=True), fail_on) == 130


def test_events_are_grouped_by_target():
    collector = Collector(Options())
    for name in ("one", "two"):
        collector.add(TargetStarted(name, None, (), None, None, (), ()))
        collector.add(FamilyFinished(name, "digits", 3, 0))
        collector.add(TargetFinished(name, 3, 1.0, 0.5))
    one, two = collector.report().targets
    assert (one.started.spec, two.started.spec) == ("one", "two")
    assert len(one.families) == len(two.families) == 1
    assert one.finished.spec == "one"


def test_an_unfinished_target_has_no_finished_event():
    assert report_with().targets[0].finished is None


def test_verdicts_are_counted_over_all_targets():
    report = report_with(Verdict.BUG, Verdict.BUG, Verdict.RISK)
    assert [report.count(verdict) for verdict in Verdict] == [2, 1, 0]


def test_a_report_of_no_events_has_no_targets():
    assert Collector(Options()).report().targets == ()
