"""A judgement: one fault is one change, what fails stands first, and nothing is passed over."""

from dataclasses import replace

import pytest

from tokharness.gate import KINDS
from tokharness.model import Verdict

CAT, ITS = "a cat", "it's"


def test_what_is_as_it_was_passes(gate, make_target, make_finding, make_baseline):
    now = make_target(make_finding(Verdict.BY_DESIGN), skips=[("TOK401", "it has no n_vocab")])
    result = gate(now, make_baseline(now))
    assert (result.changes, result.failing, result.accepted) == ((), (), 0)


def test_it_names_the_baseline_and_its_file(gate, make_target):
    result = gate(make_target(), file="reports/mine.json")
    assert (result.name, result.against) == ("mine", "reports/mine.json")


def test_changed_ids_are_told_with_the_finding_of_their_cause(gate, with_one_cause, make_finding):
    (change,) = gate(with_one_cause(make_finding())).failing
    assert (change.kind, change.changed_texts) == ("new-finding", 1)
    assert [example.text for example in change.examples] == [CAT]


def test_changed_ids_of_another_cause_are_told_apart(gate, with_one_cause, make_finding, kinds):
    now = with_one_cause(make_finding(cause="another"))
    assert sorted(kinds(gate(now))) == ["changed-ids", "new-finding"]


def test_an_accepted_finding_leaves_the_changed_ids_of_its_cause(
    gate, with_one_cause, make_finding, accepting
):
    one = make_finding()
    (change,) = gate(with_one_cause(one), accepting(one)).failing
    assert (change.kind, change.what) == ("changed-ids", "kind")


def test_accepted_changed_ids_leave_the_finding_of_their_cause(
    gate, with_one_cause, make_finding, accepting, kinds
):
    accepted = gate(with_one_cause()).failing
    assert kinds(gate(with_one_cause(make_finding()), accepting(*accepted))) == ["new-finding"]


@pytest.mark.parametrize(
    ("verdict", "fail_on"),
    [(Verdict.BUG, "never"), (Verdict.RISK, "bug"), (Verdict.BY_DESIGN, "risk")],
)
def test_changed_ids_fail_also_where_the_finding_of_their_cause_does_not(
    gate, with_one_cause, make_finding, verdict, fail_on
):
    (change,) = gate(with_one_cause(make_finding(verdict)), fail_on=fail_on).failing
    assert change.kind == "changed-ids"


def test_what_fails_stands_first_then_what_shows_texts_then_by_kind(
    gate, make_target, make_finding, with_ids, fingerprint
):
    now = make_target(
        make_finding(Verdict.BY_DESIGN, "TOK301"),
        make_finding(),
        golden=with_ids({ITS: (9,)}),
        fingerprint=replace(fingerprint, special_tokens={}),
        capabilities=("count", "normalize", "decode_single_token_bytes"),
    )
    told = [(one.fails, one.kind) for one in gate(now).changes]
    assert told == [
        (True, "changed-ids"),
        (True, "new-finding"),
        (True, "special-tokens"),
        (False, "new-fact"),
        (False, "new-capability"),
    ]


def test_the_order_in_which_it_was_told_does_not_matter(gate, make_target, make_finding):
    some = [make_finding(code=code, count=2) for code in ("TOK101", "TOK102", "TOK103")]
    assert gate(make_target(*some)) == gate(make_target(*reversed(some)))


@pytest.fixture
def against_incumbent(gate, accepting):
    """Judge a candidate by an incumbent, which has these findings."""
    return lambda now, *had: gate(now, accepting(*had), file=None)


def test_a_candidate_stands_against_the_spec_of_the_incumbent(against_incumbent, make_target):
    result = against_incumbent(make_target(spec="candidate"))
    assert (result.name, result.against) == ("candidate", "target")


def test_what_the_incumbent_has_is_no_fault_of_the_candidate(
    against_incumbent, make_target, make_finding
):
    assert not against_incumbent(make_target(make_finding()), make_finding()).changes


def test_what_the_incumbent_had_is_told_and_fails_nothing(
    against_incumbent, make_target, make_finding
):
    (change,) = against_incumbent(make_target(), make_finding()).changes
    assert (change.kind, change.fails) == ("fixed-finding", False)


def test_what_the_incumbent_has_not_fails(against_incumbent, make_target, make_finding, kinds):
    now = make_target(make_finding(), make_finding(code="TOK102"))
    assert kinds(against_incumbent(now, make_finding())) == ["new-finding"]


def test_each_kind_of_change_has_a_page():
    assert all(page.endswith(".") for page in KINDS.values())


def test_ids_that_nothing_explains_are_told_with_the_other_vocabulary(
    gate, make_target, with_ids, fingerprint
):
    now = make_target(
        golden=with_ids({ITS: (9,)}), fingerprint=replace(fingerprint, vocabulary="ff00")
    )
    (change,) = gate(now).failing
    assert change.kind == "vocabulary"
    assert [one.text for one in change.examples] == [ITS]


def test_findings_of_another_unicode_version_are_told_with_it(
    gate, make_target, make_baseline, make_finding, fingerprint
):
    older = make_target(fingerprint=replace(fingerprint, unicode_version="15.1"))
    now = make_target(make_finding(code="TOK201", cause="Unicode version"))
    (change,) = gate(now, make_baseline(older)).failing
    assert change.kind == "unicode-version"
    assert [one.kind for one in change.related] == ["new-finding"]
