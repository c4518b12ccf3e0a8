"""The time of a diagnosis or an audit is limited, however many calls one step of it makes."""

import time
from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.engine.worker.budget import is_spent, limited
from tokharness.engine.worker.findings import diagnose_failures
from tokharness.errors import BudgetSpentError
from tokharness.model import Cause, target_of
from tokharness.targets.subject import Subject

CHECK = plugins.checks()["TOK101"]
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
