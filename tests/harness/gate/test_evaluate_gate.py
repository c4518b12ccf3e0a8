"""A gate merges changes with one cause, and puts failing changes first."""

from dataclasses import replace

import pytest

from tokharness.gate import KINDS
from tokharness.model import Verdict

CAT, ITS = "a cat", "it's"


def test_unchanged_results_pass(gate, make_target, make_finding, make_baseline):
    now = make_target(make_finding(Verdict.FACT), skips=[("TOK401", "it has no n_vocab")])
    result = gate(now, make_baseline(now))
    assert (result.changes, result.failing, result.accepted) == ((), (), 0)


def test_it_names_the_baseline_and_its_file(gate, make_target):
    result = gate(make_target(), file="reports/mine.json")
    assert (result.name, result.against) == ("mine", "reports/mine.json")


def test_changed_ids_are_attached_to_the_finding_of_their_cause(gate, with_one_cause, make_finding):
    (change,) = gate(with_one_cause(make_finding())).failing
    assert (change.kind, change.changed_texts) == ("new-finding", 1)
    assert [example.text for example in change.examples] == [CAT]


def test_changed_ids_of_another_cause_are_a_separate_change(
    gate, with_one_cause, make_finding, kinds
):
    now = with_one_cause(make_finding(cause="another"))
    assert sorted(kinds(gate(now))) == ["changed-ids", "new-finding"]


def test_accepting_a_finding_does_not_accept_the_changed_ids_of_its_cause(
    gate, with_one_cause, make_finding, accepting
):
    one = make_finding()
    (change,) = gate(with_one_cause(one), accepting(one)).failing
    assert (change.kind, change.what) == ("changed-ids", "kind")


def test_accepting_changed_ids_does_not_accept_the_finding_of_their_cause(
    gate, with_one_cause, make_finding, accepting, kinds
):
    accepted = gate(with_one_cause()).failing
    assert kinds(gate(with_one_cause(make_finding()), accepting(*accepted))) == ["new-finding"]


@pytest.mark.parametrize(
    ("verdict", "fail_on"),
    [(Verdict.BUG, "never"), (Verdict.RISK, "bug"), (Verdict.FACT, "risk")],
)
def test_changed_ids_fail_even_if_the_finding_of_their_cause_does_not(
    gate, with_one_cause, make_finding, verdict, fail_on
):
    (change,) = gate(with_one_cause(make_finding(verdict)), fail_on=fail_on).failing
    assert change.kind == "changed-ids"


def test_changes_are_sorted_by_failure_then_examples_then_kind(
    gate, make_target, make_finding, with_ids, fingerprint
):
    now = make_target(
        make_finding(Verdict.FACT, "TOK301"),
        make_finding(),
        golden=with_ids({ITS: (9,)}),
        fingerprint=replace(fingerprint, special_tokens={}),
        capabilities=("count", "normalize", "decode_single_token_bytes"),
    )
    assert [(change.fails, change.kind) for change in gate(now).changes] == [
        (True, "changed-ids"),
        (True, "new-finding"),
        (True, "special-tokens"),
        (False, "new-fact"),
        (False, "new-entry-point"),
    ]


def test_the_order_of_findings_does_not_matter(gate, make_target, make_finding):
    findings = [make_finding(code=code, count=2) for code in ("TOK101", "TOK102", "TOK103")]
    assert gate(make_target(*findings)) == gate(make_target(*reversed(findings)))


@pytest.fixture
def against_incumbent(gate, accepting):
    """Compare a candidate with an incumbent that has these findings."""
    return lambda now, *findings: gate(now, accepting(*findings), file=None)


def test_the_result_has_the_specs_of_candidate_and_incumbent(against_incumbent, make_target):
    result = against_incumbent(make_target(spec="candidate"))
    assert (result.name, result.against) == ("candidate", "target")


def test_a_finding_of_the_incumbent_is_no_change(against_incumbent, make_target, make_finding):
    assert not against_incumbent(make_target(make_finding()), make_finding()).changes


def test_a_finding_of_the_incumbent_alone_is_fixed(against_incumbent, make_target, make_finding):
    (change,) = against_incumbent(make_target(), make_finding()).changes
    assert (change.kind, change.fails) == ("fixed-finding", False)


def test_a_finding_of_the_candidate_alone_fails(
    against_incumbent, make_target, make_finding, kinds
):
    now = make_target(make_finding(), make_finding(code="TOK102"))
    assert kinds(against_incumbent(now, make_finding())) == ["new-finding"]


def test_each_kind_of_change_has_a_description():
    assert all(page.endswith(".") for page in KINDS.values())


def test_unexplained_ids_are_attached_to_a_changed_vocabulary(
    gate, make_target, with_ids, fingerprint
):
    now = make_target(
        golden=with_ids({ITS: (9,)}), fingerprint=replace(fingerprint, vocabulary="ff00")
    )
    (change,) = gate(now).failing
    assert change.kind == "vocabulary"
    assert [example.text for example in change.examples] == [ITS]


def test_findings_of_a_unicode_version_are_attached_to_its_change(
    gate, make_target, make_baseline, make_finding, fingerprint
):
    older = make_target(fingerprint=replace(fingerprint, unicode_version="15.1"))
    now = make_target(make_finding(code="TOK201", cause="Unicode version"))
    (change,) = gate(now, make_baseline(older)).failing
    assert change.kind == "unicode-version"
    assert [related.kind for related in change.related] == ["new-finding"]
