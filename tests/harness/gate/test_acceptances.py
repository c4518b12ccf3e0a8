"""An acceptance covers a change until it expires, and is stale without the change."""

import datetime as dt
from dataclasses import replace

import pytest

from tokharness.config import Options
from tokharness.gate.acceptances import accept_changes, acceptances_of_findings, prune_acceptances
from tokharness.model import Verdict

CAT = "a cat"
BUG, RISK, FACT = Verdict.BUG, Verdict.RISK, Verdict.FACT
TODAY = dt.date(2028, 2, 29)
DAY = dt.timedelta(days=1)


def test_an_acceptance_without_an_expiry_covers(gate, make_target, make_finding, accepting):
    one = make_finding()
    assert not gate(make_target(one), accepting(one)).changes


@pytest.mark.parametrize(("last", "expected"), [(0, []), (-1, ["expired-acceptance"])])
def test_an_acceptance_covers_on_its_last_day_and_not_after(
    gate, make_target, make_finding, accepting, last, expected
):
    one, expires = make_finding(), TODAY + last * DAY
    result = gate(make_target(one), accepting(one, expires=expires), today=TODAY)
    assert [change.kind for change in result.failing] == expected


def test_an_expired_acceptance_is_reported_with_its_reason_and_date(
    gate, make_target, make_finding, accepting, today
):
    one = make_finding()
    (change,) = gate(make_target(one), accepting(one, expires=today - DAY)).failing
    assert "accepted until 2027-02-28 (it is known)" in change.message


def test_an_expired_acceptance_of_a_change_that_does_not_fail_does_not_fail(
    gate, make_target, make_finding, accepting, today
):
    one = make_finding(RISK)
    before = accepting(one, expires=today - DAY)
    assert not gate(make_target(one), before, fail_on="bug").failing


def test_an_expired_acceptance_of_a_fixed_finding_is_stale(
    gate, make_target, make_finding, accepting, today, kinds
):
    before = accepting(make_finding(), expires=today - DAY)
    assert kinds(gate(make_target(), before)) == ["stale-acceptance"]


def test_an_acceptance_of_a_fixed_finding_is_stale(gate, make_target, make_finding, accepting):
    (change,) = gate(make_target(), accepting(make_finding())).failing
    assert change.kind == "stale-acceptance"
    assert "--prune" in change.message
    assert "it is known" in change.message


@pytest.mark.parametrize(
    "fields", [{"profile": "thorough"}, {"seed": 1}, {"select": ("TOK201",)}, {"families": ("a",)}]
)
def test_an_acceptance_is_not_stale_after_a_different_run(
    gate, make_target, make_finding, accepting, fields
):
    options = Options(**{"profile": "quick", **fields})
    changes = gate(make_target(), accepting(make_finding()), options=options).changes
    assert not {one.kind for one in changes} & {"stale-acceptance", "fixed-finding"}


@pytest.mark.parametrize("what", ["part of family emoji", "diagnosis of 9 texts that fail TOK101"])
def test_an_acceptance_is_not_stale_after_a_run_of_some_of_the_texts(
    gate, make_target, make_finding, make_baseline, accept, what
):
    now = make_target(skips=[(what, "too many texts fail")])
    before = make_baseline(now, accepted=[accept(make_finding())])
    assert not gate(now, before).changes


def test_an_acceptance_is_not_stale_if_an_entry_point_is_lost(
    gate, make_target, make_finding, accepting, kinds
):
    now = make_target(capabilities=())
    assert set(kinds(gate(now, accepting(make_finding())))) == {"lost-entry-point"}


def test_an_unexplained_finding_is_accepted_with_its_text_only(
    gate, make_target, make_finding, accept, make_baseline, kinds
):
    first = make_finding(code="TOK201", cause="unexplained", text="a")
    (change,) = gate(make_target(first)).failing
    before = make_baseline(accepted=[accept(change)])
    assert kinds(gate(make_target(first), before)) == []
    other = make_finding(code="TOK201", cause="unexplained", text="b")
    assert "new-finding" in kinds(gate(make_target(other), before))


def test_an_acceptance_of_a_finding_that_got_worse_is_not_stale(
    gate, make_target, make_finding, accepting, kinds
):
    before = accepting(make_finding(RISK))
    assert kinds(gate(make_target(make_finding(BUG)), before)) == ["worse-finding"]


def test_an_accepted_worse_finding_is_covered(gate, make_target, make_finding, accepting, today):
    now, before = make_target(make_finding(BUG)), accepting(make_finding(RISK))
    after = accept_changes(before, gate(now, before).failing, "known", today)
    assert not gate(now, after).changes


def test_a_fixed_worse_finding_can_be_pruned(gate, make_target, make_finding, accepting, today):
    worse, before = make_target(make_finding(BUG)), accepting(make_finding(RISK))
    after = accept_changes(before, gate(worse, before).failing, "known", today)
    assert not prune_acceptances(after, gate(make_target(), after).changes).accepted


def test_bugs_and_risks_of_a_target_are_accepted_and_facts_are_not(
    make_target, make_finding, today
):
    one = make_target(make_finding(), make_finding(RISK, "TOK302"), make_finding(FACT, "TOK301"))
    accepted = acceptances_of_findings(one, "there", today)
    assert [(each.verdict, each.reason, each.first_seen) for each in accepted] == [
        ("bug", "there", today),
        ("risk", "there", today),
    ]


def target_with_many_changes(make_target, make_finding, with_ids, fingerprint):
    """Results with changes of most kinds."""
    return make_target(
        make_finding(),
        golden=with_ids({CAT: (9, 9, 9), "bye<|end|>": (1,), "January": (1,) * 9}),
        fingerprint=replace(fingerprint, n_vocab=300, unicode_version="15.1", normalizer="NFC"),
        capabilities=("count",),
        skips=[("TOK201 ids-differ", "there is no reference")],
        checks=(),
    )


@pytest.fixture(scope="session")
def many_changes(make_target, make_finding, with_ids):
    return lambda fingerprint: target_with_many_changes(
        make_target, make_finding, with_ids, fingerprint
    )


def test_accepted_changes_pass(gate, many_changes, make_baseline, fingerprint, today):
    now = many_changes(fingerprint)
    changes = gate(now).failing
    after = accept_changes(make_baseline(), changes, "all of it", today)
    assert len({one.kind for one in changes}) >= 8
    assert not gate(now, after).failing
    assert {one.reason for one in after.accepted} == {"all of it"}


def test_accepted_changes_fail_after_the_expiry(
    gate, many_changes, make_baseline, fingerprint, today
):
    now = many_changes(fingerprint)
    after = accept_changes(make_baseline(), gate(now).failing, "all of it", today, today)
    kinds = {one.kind for one in gate(now, after, today=today + DAY).failing}
    assert kinds == {"expired-acceptance"}


def test_a_change_that_is_accepted_again_keeps_its_kind_and_first_seen(
    gate, make_target, make_finding, accepting, today
):
    one = make_finding()
    before = accepting(one, expires=today - DAY)
    after = accept_changes(before, gate(make_target(one), before).failing, "still", today)
    (accepted,) = after.accepted
    assert (accepted.kind, accepted.reason, accepted.expires) == ("new-finding", "still", None)
    assert accepted.first_seen == dt.date(2027, 1, 1)


def test_related_changes_are_accepted_together(
    gate, with_one_cause, make_finding, make_baseline, today
):
    now = with_one_cause(make_finding())
    after = accept_changes(make_baseline(), gate(now).failing, "known", today)
    assert len(after.accepted) == 2
    assert not gate(now, after).changes


def test_a_stale_acceptance_is_never_accepted(gate, make_target, make_finding, accepting, today):
    before = accepting(make_finding())
    assert accept_changes(before, gate(make_target(), before).failing, "x", today) == before


def test_pruning_removes_only_stale_acceptances(gate, make_target, make_finding, accepting):
    there, gone = make_finding(), make_finding(code="TOK102")
    before = accepting(there, gone)
    after = prune_acceptances(before, gate(make_target(there), before).changes)
    assert [one.fingerprint for one in after.accepted] == [there.fingerprint]


def test_pruning_keeps_findings_that_a_different_run_did_not_report(
    gate, make_target, make_finding, accepting
):
    before = accepting(make_finding())
    result = gate(make_target(), before, options=Options(profile="thorough"))
    assert prune_acceptances(before, result.changes) == before


def test_a_pruned_acceptance_does_not_cover_the_finding_when_it_returns(
    gate, make_target, make_finding, accepting, kinds
):
    before = accepting(make_finding())
    after = prune_acceptances(before, gate(make_target(), before).changes)
    assert kinds(gate(make_target(make_finding()), after)) == ["new-finding"]
