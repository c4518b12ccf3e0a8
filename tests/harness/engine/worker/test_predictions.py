"""A cause that predicts nothing makes room for one that predicts, and is a symptom without one."""

from dataclasses import replace

import pytest

from tokharness.diagnosis.explanations import Explanation, first_causes
from tokharness.engine.worker.budget import Budget
from tokharness.engine.worker.findings import diagnose_failures
from tokharness.engine.worker.grouping import DiagnosedText, group_by_cause
from tokharness.engine.worker.predictions import explained_again
from tokharness.model import Cause, target_of
from tokharness.plugins import Check
from tokharness.targets.subject import Subject

FIRST, SECOND, TRUE, RARE = map(Cause, ("first", "second", "true", "rare"))
FAILING = dict.fromkeys(("a", "b", "c", "d"), "plain-words")


@pytest.fixture
def subject(byte_tokenizer):
    return Subject(target_of("target", byte_tokenizer()))


def check_of(explanations, right):
    """Make a check that tries explanations in turn, of which only the right ones predict."""

    def diagnose(text, subject):
        table = [Explanation(lambda _, cause=cause: [cause], "") for cause in explanations]
        return first_causes(table, text, subject.state.refuted_causes)

    def predicts(cause, texts, subject):
        return cause in right

    return Check("TOK999", "planted", "", (), (), lambda *_: [0], diagnose, None, predicts=predicts)


@pytest.mark.parametrize("explanations", [[FIRST, TRUE], [FIRST, SECOND, TRUE], [TRUE, FIRST]])
def test_the_first_cause_that_predicts_is_reported(subject, explanations):
    check = check_of(explanations, {TRUE})
    (finding,) = diagnose_failures([check], subject, {"TOK999": FAILING})["TOK999"]
    assert (finding.cause, finding.cause.weak, finding.count) == (TRUE, False, 4)


def test_without_a_cause_that_predicts_the_first_one_is_a_symptom(subject):
    check = check_of([FIRST, SECOND], set())
    (finding,) = diagnose_failures([check], subject, {"TOK999": FAILING})["TOK999"]
    assert (finding.cause, finding.cause.weak, finding.count) == (FIRST, True, 4)


def test_a_refuted_cause_is_reported_where_there_is_no_other():
    table = [Explanation(lambda _: [FIRST], ""), Explanation(lambda _: [SECOND], "")]
    assert first_causes(table, "a", {FIRST}) == [SECOND]
    assert first_causes(table, "a", {FIRST, SECOND}) == [FIRST]


@pytest.mark.parametrize(("is_by_chance", "kinds"), [(True, 1), (False, 2)])
def test_what_a_symptom_has_by_chance_is_no_finding(subject, monkeypatch, is_by_chance, kinds):
    monkeypatch.setattr(
        "tokharness.engine.worker.predictions.may_be_by_chance", lambda *_: is_by_chance
    )
    texts = [DiagnosedText(f"text {n}", "plain-words", (FIRST,)) for n in range(20)]
    rare = DiagnosedText("rare", "plain-words", (RARE,))
    groups = group_by_cause([*texts, rare])
    found = explained_again(check_of([FIRST], {RARE}), groups, subject, Budget(subject))
    assert len(found) == kinds
    assert sum(len(group.members) for group in found) == 21


@pytest.mark.parametrize("size", [20, 200])
def test_a_text_that_the_further_cause_does_not_explain_keeps_its_own(subject, size):
    whole = check_of([FIRST, TRUE], {TRUE})
    others = {"text 8", "text 9"} if size > 20 else {"text 8"}

    def diagnose(text, subject):
        return [FIRST] if text in others else whole.diagnose(text, subject)

    texts = [DiagnosedText(f"text {n}", "plain-words", (FIRST,)) for n in range(size)]
    check = replace(whole, diagnose=diagnose)
    found = explained_again(check, group_by_cause(texts), subject, Budget(subject))
    kept = {member.text for group in found if group.cause == FIRST for member in group.members}
    assert kept == others
    assert sum(len(group.members) for group in found) == size
