"""New findings fail from a given verdict on; facts and accepted findings do not."""

import pytest

from tokharness.model import Verdict

BUG, RISK, FACT = Verdict.BUG, Verdict.RISK, Verdict.FACT


@pytest.mark.parametrize(
    ("verdict", "fail_on", "fails"),
    [
        *((BUG, "bug", True), (BUG, "risk", True), (BUG, "never", False)),
        *((RISK, "bug", False), (RISK, "risk", True), (RISK, "never", False)),
    ],
)
def test_a_new_finding_fails_from_the_verdict_fail_on(
    gate, make_target, make_finding, verdict, fail_on, fails
):
    result = gate(make_target(make_finding(verdict)), fail_on=fail_on)
    assert [(one.kind, one.fails) for one in result.changes] == [("new-finding", fails)]


def test_a_new_risk_fails_by_default(gate, make_target, make_finding, kinds):
    assert kinds(gate(make_target(make_finding(RISK)))) == ["new-finding"]


def test_the_change_has_its_finding(gate, make_target, make_finding):
    one = make_finding(count=7)
    (change,) = gate(make_target(one)).failing
    assert (change.finding, change.count, change.fingerprint) == (one, 7, one.fingerprint)


def test_a_fact_of_the_baseline_is_no_change(gate, make_target, make_baseline, make_finding):
    now = make_target(make_finding(FACT))
    assert not gate(now, make_baseline(now)).changes


def test_a_new_fact_is_reported_and_does_not_fail(gate, make_target, make_finding):
    (change,) = gate(make_target(make_finding(FACT))).changes
    assert (change.kind, change.fails) == ("new-fact", False)


def test_a_fact_that_is_a_bug_now_fails(gate, make_target, make_baseline, make_finding, kinds):
    before = make_baseline(make_target(make_finding(FACT)))
    assert kinds(gate(make_target(make_finding(BUG)), before)) == ["new-finding"]


def test_an_accepted_finding_is_only_counted(gate, make_target, make_finding, accepting):
    one = make_finding()
    result = gate(make_target(one), accepting(one))
    assert (result.changes, result.accepted) == ((), 1)


def test_an_accepted_risk_that_is_a_bug_now_is_worse(
    gate, make_target, make_finding, accepting, kinds
):
    before = accepting(make_finding(RISK))
    result = gate(make_target(make_finding(BUG)), before)
    assert kinds(result) == ["worse-finding"]
    assert "accepted as a risk" in result.failing[0].message


def test_an_accepted_bug_that_is_a_risk_now_is_covered(gate, make_target, make_finding, accepting):
    before = accepting(make_finding(BUG))
    assert not gate(make_target(make_finding(RISK)), before).changes


@pytest.mark.parametrize("fields", [{"code": "TOK102"}, {"cause": "another"}])
def test_an_acceptance_covers_no_other_check_or_cause(
    gate, make_target, make_finding, accepting, fields
):
    now = make_target(make_finding(), make_finding(**fields))
    (change,) = gate(now, accepting(make_finding())).failing
    assert change.kind == "new-finding"


def test_an_unmet_expectation_fails(gate, make_target):
    (change,) = gate(make_target(), unmet=("lossy:NFKC",)).failing
    assert (change.kind, change.what) == ("unmet-expectation", "lossy:NFKC")
    assert "'lossy:NFKC'" in change.message


@pytest.mark.parametrize("fail_on", ["bug", "never"])
def test_an_unmet_expectation_fails_for_every_fail_on(gate, make_target, kinds, fail_on):
    result = gate(make_target(), unmet=("lossy:NFKC",), fail_on=fail_on)
    assert kinds(result) == ["unmet-expectation"]


def test_a_new_finding_of_a_library_is_reported_with_the_release_of_the_baseline(
    gate, make_target, make_baseline, make_finding
):
    now = make_target(make_finding(library="tokenizers 1.3"))
    before = make_baseline(make_target(), versions={"tokenizers": "1.2"})
    (change,) = gate(now, before, fail_on="bug").changes
    assert (change.kind, change.fails) == ("new-finding", False)
    assert "tokenizers 1.3, whatever the file" in change.message
    assert "the baseline is of tokenizers 1.2" in change.message


def test_a_new_finding_of_a_library_fails_with_fail_on_library(gate, make_target, make_finding):
    result = gate(make_target(make_finding(library="tokenizers 1.3")), fail_on_library=True)
    assert [one.fails for one in result.changes] == [True]


def test_an_accepted_finding_of_a_library_that_is_gone_does_not_fail(
    gate, make_target, make_finding, accepting
):
    before = accepting(make_finding(library="tokenizers 1.2"))
    (change,) = gate(make_target(), before).changes
    assert (change.kind, change.fails) == ("fixed-finding", False)
    assert "tokenizers 1.2 had it, whatever the file" in change.message


def test_an_accepted_finding_of_a_library_that_is_the_files_now_is_worse(
    gate, make_target, make_finding, accepting, kinds
):
    before = accepting(make_finding(library="tokenizers 1.2"))
    assert kinds(gate(make_target(make_finding()), before)) == ["worse-finding"]
