"""A report is made of events, as far as they came, and decides the exit code."""

import pytest

from tokharness.config import Options
from tokharness.engine.events import FamilyFinished, FindingReported, TargetFinished, TargetStarted
from tokharness.model import Cause, Finding, Verdict
from tokharness.results.report import Collector, exit_code


def collected(*verdicts, interrupted=False):
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
        ([Verdict.BY_DESIGN], "bug", 0),
        ([Verdict.BY_DESIGN], "risk", 0),
        ([Verdict.BY_DESIGN, Verdict.RISK, Verdict.BUG], "bug", 1),
    ],
)
def test_the_exit_code_is_1_for_findings_at_or_above_what_fails(verdicts, fail_on, code):
    assert exit_code(collected(*verdicts), fail_on) == code


@pytest.mark.parametrize("fail_on", ["bug", "risk", "never"])
def test_an_interrupted_run_is_130_whatever_it_found(fail_on):
    assert exit_code(collected(Verdict.BUG, interrupted=True), fail_on) == 130


def test_events_are_told_apart_by_target():
    collector = Collector(Options())
    for name in ("one", "two"):
        collector.add(TargetStarted(name, None, (), None, None, (), ()))
        collector.add(FamilyFinished(name, "digits", 3, 0))
        collector.add(TargetFinished(name, 3, 1.0, 0.5))
    one, two = collector.report().targets
    assert (one.started.spec, two.started.spec) == ("one", "two")
    assert len(one.families) == len(two.families) == 1
    assert one.finished.spec == "one"


def test_a_target_that_did_not_end_has_no_end():
    assert collected().targets[0].finished is None


def test_verdicts_are_counted_over_all_targets():
    report = collected(Verdict.BUG, Verdict.BUG, Verdict.RISK)
    assert [report.count(verdict) for verdict in Verdict] == [2, 1, 0]


def test_a_report_of_no_events_has_no_targets():
    assert Collector(Options()).report().targets == ()
