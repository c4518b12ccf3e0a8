"""Triage finds the new causes among failing texts."""

import pytest

from tokharness import plugins
from tokharness.engine.worker.operations.campaign import triage
from tokharness.model import target_of
from tokharness.targets.subject import Subject

DROPPED = "dropped characters"


@pytest.fixture
def new_causes(byte_tokenizer):
    """Return a function that triages texts of a target with two faults."""

    def faulty(text):
        return text.replace("\u200b", "").replace("z", "y")

    def records(texts, known=(), codes=("TOK101",), before=faulty):
        checks = [plugins.checks()[code] for code in codes]
        subject = Subject(target_of("target", byte_tokenizer(before)))
        return triage(checks, subject, dict.fromkeys(codes, texts), known)

    return records


def test_a_record_names_check_cause_and_the_shortest_text(new_causes):
    (record,) = new_causes(["ab\u200b", "\u200b", "abc\u200b"])
    assert (record["code"], record["kind"], record["text"]) == ("TOK101", DROPPED, "\u200b")
    assert "U+200B" in str(record["parameters"])
    assert record["message"]


def test_two_causes_are_two_records(new_causes):
    records = new_causes(["a\u200b", "az"])
    assert {record["text"] for record in records} == {"a\u200b", "az"}
    assert len({str(record["parameters"]) for record in records}) == 2


@pytest.mark.slow
def test_a_known_cause_is_not_reported_again(new_causes):
    first = new_causes(["a\u200b"])
    known = [[record["code"], record["kind"], record["parameters"]] for record in first]
    assert new_causes(["b\u200b"], known) == []
    (record,) = new_causes(["b\u200b", "bz"], known)
    assert record["text"] == "bz"


@pytest.mark.slow
def test_a_known_cause_of_another_check_is_reported(new_causes):
    known = [["TOK999", record["kind"], record["parameters"]] for record in new_causes(["a\u200b"])]
    assert new_causes(["a\u200b"], known)


def test_a_check_without_failing_texts_has_no_records(new_causes):
    assert new_causes([]) == []


def test_a_text_that_is_too_long_is_not_the_shortest(new_causes):
    (record,) = new_causes(["\u200b" * 10_001, "ab\u200b"])
    assert record["text"] == "ab\u200b"


def test_of_very_many_texts_few_are_diagnosed(new_causes):
    calls = []

    def counted(text):
        calls.append(text)
        return text.replace("\u200b", "")

    (record,) = new_causes([f"{n}\u200b" for n in range(5000)], before=counted)
    assert record["text"] == "0\u200b"
    assert len({text for text in calls if text.rstrip("\u200b").isdecimal()}) < 100
