"""Metrics that changed by more than the tolerance, and budgets."""

from dataclasses import replace

import pytest

from tokharness.targets.snapshot import Golden

BURMESE, MYANMAR, SMILE = "\u1007\u1014\u103a", "\u1000\u1001", "\U0001f600"


def of_kind(result, kind):
    return [one for one in result.changes if one.kind == kind]


@pytest.fixture(scope="session")
def growing(make_target, with_ids):
    """Results in which a Burmese text takes a number of tokens."""
    return lambda count: make_target(golden=with_ids({BURMESE: tuple(range(count))}))


@pytest.fixture(scope="session")
def before(growing, make_baseline):
    return make_baseline(growing(100))


@pytest.mark.parametrize(
    ("count", "tolerance", "fails"),
    [(100, 0.0, False), (101, 0.02, False), (102, 0.02, False), (103, 0.02, True), (101, 0, True)],
)
def test_a_metric_that_grows_by_more_than_the_tolerance_fails(
    gate, growing, before, count, tolerance, fails
):
    result = gate(growing(count), before, tolerance=tolerance)
    assert bool(of_kind(result, "metric-regression")) == fails


def test_a_regression_names_the_language_and_both_figures(gate, growing, before):
    (change,) = of_kind(gate(growing(150), before), "metric-regression")
    assert change.fails
    assert "Burmese from 33.33 to 50.00 (+50%)" in change.message


def test_a_metric_that_falls_is_reported_and_does_not_fail(gate, growing, before):
    (change,) = of_kind(gate(growing(50), before), "metric-improvement")
    assert not change.fails
    assert "(-50%)" in change.message


def test_each_kind_of_group_is_one_change(gate, make_target, with_ids):
    more = {text: tuple(range(9)) for text in (BURMESE, MYANMAR, SMILE, "January")}
    changes = of_kind(gate(make_target(golden=with_ids(more))), "metric-regression")
    assert [(one.what, one.count) for one in changes] == [
        ("tokens per code point of 2 languages", 2),
        ("tokens per code point of 1 family", 1),
        ("tokens per code point of 1 script", 1),
    ]


def test_an_accepted_regression_that_grows_further_fails(gate, growing, before, accept):
    accepted = [accept(one) for one in gate(growing(150), before).failing]
    tolerant = replace(before, accepted=tuple(accepted))
    assert not gate(growing(150), tolerant).changes
    assert of_kind(gate(growing(160), tolerant), "metric-regression")


def test_a_text_without_ids_has_no_metric(gate, make_target, with_ids, make_baseline):
    raising = make_target(golden=with_ids({BURMESE: "ValueError"}))
    assert "language:my" not in make_baseline(raising).metrics
    assert not of_kind(gate(raising), "metric-regression")


def test_a_text_that_lost_its_ids_does_not_change_the_metric_of_its_group(
    gate, make_target, make_baseline
):
    cheap, expensive = Golden("family:emoji", "abcd", (1,)), Golden("family:emoji", "e", (1, 2, 3))
    now = make_target(golden=[replace(cheap, ids="ValueError"), expensive])
    result = gate(now, make_baseline(make_target(golden=[cheap, expensive])))
    assert [one.kind for one in result.changes] == ["changed-ids"]


def test_a_run_without_a_snapshot_has_no_metrics(make_target, gate):
    assert not gate(make_target(golden=None)).changes


@pytest.mark.parametrize(("budget", "fails"), [(1.4, True), (1.5, False), (6, False)])
def test_the_budget_of_a_language_is_relative_to_english(gate, make_target, budget, fails):
    changes = gate(make_target(), budgets={"language:my": budget}).failing
    assert [one.kind for one in changes] == ["over-budget"] * fails


def test_an_exceeded_budget_is_reported_with_both_figures(gate, make_target):
    (change,) = gate(make_target(), budgets={"language:my": 1.25}).failing
    assert change.message == ("Burmese costs 1.50 times the tokens of English; its budget is 1.25")


@pytest.mark.parametrize("group", ["script:Mymr", "family:emoji"])
@pytest.mark.parametrize(("budget", "fails"), [(1.0, True), (3.0, False)])
def test_the_budget_of_a_script_or_family_is_in_tokens_per_code_point(
    gate, make_target, group, budget, fails
):
    changes = gate(make_target(), budgets={group: budget}).failing
    assert [one.kind for one in changes] == ["over-budget"] * fails


@pytest.mark.parametrize("group", ["language:de", "script:Grek", "family:digits"])
def test_a_budget_of_a_group_without_ids_fails(gate, make_target, group):
    (change,) = gate(make_target(), budgets={group: 100.0}).failing
    assert "cannot be checked" in change.message


def test_a_budget_of_a_language_fails_if_english_has_no_ids(gate, make_target, with_ids):
    now = make_target(golden=with_ids({"January": "ValueError"}))
    assert of_kind(gate(now, budgets={"language:my": 100.0}), "over-budget")


def test_a_budget_fails_even_if_the_baseline_exceeded_it(gate, make_target, make_baseline):
    now = make_target()
    assert gate(now, make_baseline(now), budgets={"language:my": 1.0}).failing


def test_an_accepted_budget_that_is_exceeded_by_more_fails_again(gate, growing, accept, before):
    budgets = {"language:my": 2.0}
    accepted = tuple(accept(one) for one in gate(growing(100), before, budgets=budgets).failing)
    tolerant = replace(before, accepted=accepted)
    assert not gate(growing(100), tolerant, budgets=budgets).failing
    result = gate(growing(101), tolerant, budgets=budgets)
    assert of_kind(result, "over-budget")
