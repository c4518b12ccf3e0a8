"""A policy overrides verdicts and declares what is expected."""

import pytest

from tokharness.config import Options
from tokharness.engine.events import FindingReported, TargetStarted
from tokharness.model import Cause, Finding, Verdict
from tokharness.policy import (
    NO_POLICY,
    Policy,
    apply_policy,
    describe_unmet,
    matches,
    matches_check,
    open_expectations,
    unmet_expectations,
)
from tokharness.results.report import Collector

BUG, RISK, FACT = Verdict.BUG, Verdict.RISK, Verdict.FACT


@pytest.mark.parametrize(
    ("selector", "matches_it"),
    [
        *((one, True) for one in ("TOK101", "tok101", "lossy-round-trip", "lossy", "lossy-round")),
        *((one, False) for one in ("TOK10", "TOK102", "loss", "round-trip", "")),
    ],
)
def test_a_check_is_selected_by_its_code_or_the_first_words_of_its_name(selector, matches_it):
    assert matches_check(selector, "TOK101", "lossy-round-trip") == matches_it


def finding(verdict=BUG, code="TOK101", name="lossy-round-trip", form="NFKC"):
    cause = Cause("applied form", (("form", form),), verdict, "")
    return Finding("x", code, name, cause, 1, None, (), "")


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        *((f"lossy{cause}", True) for cause in ("", ":NFKC", ":nfkc", ": NFKC", ":applied form")),
        *((f"lossy{cause}", True) for cause in (":applied form: NFKC",)),
        *((f"lossy{cause}", False) for cause in (":NFC", ":NFK", ":form", ":applied")),
        *((one, False) for one in ("raises", "raises:NFKC", "TOK102:NFKC")),
    ],
)
def test_a_selector_matches_the_check_and_the_cause_of_a_finding(selector, expected):
    assert matches(finding(), selector) == expected


def report(*findings):
    collector = Collector(Options())
    collector.add(TargetStarted("x", None, (), None, None, (), ("TOK101",)))
    for one in findings:
        collector.add(FindingReported(one))
    return collector.report()


def verdicts(report):
    return [finding.verdict for target in report.targets for finding in target.findings]


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_is_overridden(verdict):
    assert verdicts(apply_policy(report(finding()), Policy(verdicts={"lossy": verdict}))) == [
        verdict
    ]


def test_the_verdict_of_one_cause_is_overridden():
    result = report(finding(form="NFC"), finding(form="NFKC"))
    assert verdicts(apply_policy(result, Policy(verdicts={"lossy:NFC": RISK}))) == [BUG, RISK]


def test_the_last_of_several_overrides_applies():
    policy = Policy(verdicts={"lossy": FACT, "lossy:NFKC": RISK})
    assert verdicts(apply_policy(report(finding()), policy)) == [RISK]


def test_an_expected_finding_is_by_design_despite_other_overrides():
    policy = Policy(verdicts={"lossy": BUG}, expect=("lossy:NFKC",))
    assert verdicts(apply_policy(report(finding(RISK)), policy)) == [FACT]


def test_findings_are_sorted_worst_first_after_overrides():
    result = report(finding(BUG, form="NFC"), finding(RISK), finding(FACT, form="NFD"))
    policy = Policy(verdicts={"lossy:NFC": FACT, "lossy:NFD": BUG})
    assert verdicts(apply_policy(result, policy)) == [BUG, RISK, FACT]


def test_an_override_keeps_the_fingerprint():
    (target,) = apply_policy(report(finding()), Policy(verdicts={"lossy": RISK})).targets
    assert target.findings[0].fingerprint == finding().fingerprint


def test_without_overrides_a_report_is_unchanged():
    result = report(finding())
    assert apply_policy(result, NO_POLICY) is result


@pytest.mark.parametrize(
    ("expect", "unmet"), [("lossy:NFKC", ()), ("lossy:NFC", ("lossy:NFC",)), ("TOK101:NFKC", ())]
)
def test_unmet_expectations_are_returned(expect, unmet):
    assert unmet_expectations(report(finding()), Policy(expect=(expect,))) == unmet


def test_expectations_of_a_check_that_did_not_run_are_left_open():
    policy = Policy(expect=("TOK102:ValueError",))
    assert unmet_expectations(report(finding()), policy) == ()
    assert open_expectations(report(finding()), policy) == ("TOK102:ValueError",)


def test_an_unmet_expectation_is_described_with_the_causes_that_its_check_reported():
    sentence = describe_unmet(report(finding(), finding(form="NFC")), "lossy:NFX")
    assert "'lossy:NFX'" in sentence
    assert sentence.endswith("lossy reported applied form: NFKC; applied form: NFC")
    assert describe_unmet(report(), "lossy:NFX").endswith("lossy reported no cause")


def test_many_causes_are_counted():
    findings = [finding(form=f"F{number}") for number in range(12)]
    assert describe_unmet(report(*findings), "lossy:NFX").endswith("F9 and 2 more")


def test_an_expectation_is_met_after_its_verdict_was_overridden():
    policy = Policy(expect=("lossy:NFKC",))
    assert unmet_expectations(apply_policy(report(finding()), policy), policy) == ()
