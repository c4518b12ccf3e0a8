"""A diagnosis has a budget: what is beyond it is left out, and every finding has a failing text.

The time of a diagnosis or an audit is limited, however many calls one step of it makes.
"""

import math
import time
from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.engine.worker.budget import (
    Budget,
    DiagnosisBudgets,
    busy_seconds,
    is_spent,
    limited,
)
from tokharness.engine.worker.diagnose_texts import diagnose_texts
from tokharness.engine.worker.findings import diagnose_failures
from tokharness.engine.worker.grouping import MAX_CAUSES
from tokharness.errors import BudgetSpentError
from tokharness.model import Cause, Verdict, target_of
from tokharness.targets.subject import Subject

CHECK = plugins.checks()["TOK101"]


def every_row(batch, _):
    return range(len(batch.texts))


def check_with(diagnose, failing=every_row):
    return replace(CHECK, failing=failing, diagnose=diagnose)


def subject_of(byte_tokenizer):
    return Subject(target_of("target", byte_tokenizer()))


def diagnose_by_one_call(text, subject):
    subject.encode(text)
    return [Cause("fault")]


def test_texts_beyond_the_calls_of_a_budget_are_left_out(byte_tokenizer):
    subject = subject_of(byte_tokenizer)
    failing = {f"{number:02}": "digits" for number in range(50)}
    budget = Budget(subject, last_call=subject.calls + 30)
    diagnosed = diagnose_texts(check_with(diagnose_by_one_call), subject, failing, budget=budget)
    assert 1 < len(diagnosed) < 50


def test_texts_beyond_the_time_of_a_budget_are_left_out_but_for_one(byte_tokenizer):
    subject = subject_of(byte_tokenizer)
    budget = Budget(subject, deadline=-math.inf)
    failing = dict.fromkeys(("abc", "a", "ab"), "digits")
    (one,) = diagnose_texts(check_with(diagnose_by_one_call), subject, failing, budget=budget)
    assert one.text == "a"


def test_the_shortest_texts_of_all_families_are_diagnosed_first(byte_tokenizer):
    subject = subject_of(byte_tokenizer)
    failing = {family * size: family for family in "abc" for size in range(1, 20)}
    budget = Budget(subject, last_call=subject.calls + 30)
    diagnosed = diagnose_texts(check_with(diagnose_by_one_call), subject, failing, budget=budget)
    assert {one.family for one in diagnosed} == {*"abc"}
    assert max(len(one.text) for one in diagnosed) < 10


def test_without_a_limit_all_texts_are_diagnosed_in_their_order(byte_tokenizer):
    failing = {f"{number}": "digits" for number in (10, 2, 33, 4)}
    diagnosed = diagnose_texts(
        check_with(diagnose_by_one_call), subject_of(byte_tokenizer), failing
    )
    assert [one.text for one in diagnosed] == list(failing)


def test_a_pass_that_always_learns_something_new_ends(byte_tokenizer):
    def diagnose(text, subject):
        subject.diagnosis_pass.learned = True
        return [Cause("fault")]

    failing = {"a": "digits"}
    assert diagnose_texts(check_with(diagnose), subject_of(byte_tokenizer), failing)


def test_the_time_of_preparation_is_not_counted(byte_tokenizer):
    subject = subject_of(byte_tokenizer)
    budget = Budget(subject, deadline=busy_seconds() - 1)
    assert budget.is_used_up()
    subject.state.preparation = 3600.0
    assert not budget.is_used_up()


def test_texts_that_were_left_out_are_counted(byte_tokenizer):
    budgets = DiagnosisBudgets(1, begin=-math.inf)
    subject = subject_of(byte_tokenizer)
    failing = {f"{number:03}": "digits" for number in range(100)}

    def diagnose(text, subject):
        subject.target.calls.number += 10**9
        return [Cause("fault")]

    (finding,) = diagnose_failures(
        [check_with(diagnose)], subject, {CHECK.code: failing}, budgets=budgets
    )[CHECK.code]
    assert finding.count + budgets.not_diagnosed[CHECK.code] == len(failing)
    assert finding.count < len(failing)


def test_causes_that_differ_from_text_to_text_are_one_finding_beyond_the_first(byte_tokenizer):
    texts = {f"text {number}": "digits" for number in range(MAX_CAUSES + 10)}
    check = check_with(lambda text, _: [Cause("fault", (("of", text),))])
    findings = diagnose_failures([check], subject_of(byte_tokenizer), {CHECK.code: texts})
    *first, last = findings[CHECK.code]
    assert len(first) == MAX_CAUSES
    assert (last.cause.kind, last.count, last.verdict) == ("further causes", 10, Verdict.BUG)


def test_a_fact_is_not_a_further_cause(byte_tokenizer):
    texts = {f"text {number}": "digits" for number in range(MAX_CAUSES + 10)}

    def diagnose(text, subject):
        return [Cause("by design", (("of", text),), Verdict.FACT)]

    found = diagnose_failures([check_with(diagnose)], subject_of(byte_tokenizer), {"TOK101": texts})
    assert {finding.verdict for finding in found["TOK101"]} == {Verdict.FACT}


def selects(*characters):
    return lambda batch, _: [
        row for row, text in enumerate(batch.texts) if all(c in text for c in characters)
    ]


def test_a_smaller_text_that_the_check_does_not_select_is_not_shown(byte_tokenizer):
    def diagnose(text, subject):
        return [Cause("fault")] if "x" in text else []

    check = check_with(diagnose, failing=selects("x", "y"))
    (finding,) = diagnose_failures(
        [check], subject_of(byte_tokenizer), {CHECK.code: {"a x b y": "digits"}}
    )[CHECK.code]
    assert finding.text == "xy"


def test_a_text_that_only_its_family_makes_fail_is_checked_in_that_family(byte_tokenizer):
    def failing(batch, subject):
        return selects("y")(batch, subject) if batch.family == "digits" else []

    check = check_with(lambda *_: [Cause("fault")], failing=failing)
    texts = {"abcy": "digits"}
    (finding,) = diagnose_failures([check], subject_of(byte_tokenizer), {CHECK.code: texts})[
        CHECK.code
    ]
    assert finding.text == "y"


FAILING = {"TOK101": {"a": "digits", "bb": "digits"}}


def endless(text, subject):
    """Probe the target until there is no time, but explain the shortest text at once."""
    while text != "a":
        subject.encode("x")
    return [Cause("fault")]


def found(subject, diagnose, budgets=None):
    check = replace(CHECK, failing=lambda batch, _: range(len(batch.texts)), diagnose=diagnose)
    with limited(subject, 0.05):
        return diagnose_failures([check], subject, FAILING, budgets=budgets)["TOK101"]


@pytest.fixture
def subject(byte_tokenizer):
    return Subject(target_of("target", byte_tokenizer()))


def test_a_diagnosis_that_makes_calls_without_end_is_ended(subject):
    (finding,) = found(subject, endless)
    assert (finding.text, finding.count) == ("a", 1)
    assert not is_spent(subject)  # after the block


def test_a_diagnosis_in_time_is_not_limited(subject):
    (finding,) = found(subject, lambda *_: [Cause("fault")])
    assert finding.count == 2


def test_calls_of_the_reference_are_limited_too(byte_tokenizer):
    reference = target_of("reference", byte_tokenizer())
    subject = Subject(target_of("target", byte_tokenizer()), reference=reference)
    with pytest.raises(BudgetSpentError), limited(subject, -1.0):
        reference.encode("a")
    assert reference.encode("a") == [97]


def test_processor_time_counts_and_not_the_clock(subject, monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: 1e9)
    with limited(subject, 60.0):
        assert subject.encode("a") == [97]
