"""New causes that failing texts show, known ones aside."""

import pytest

from tokharness import plugins
from tokharness.engine.fuzzing.triage import triage
from tokharness.model import target_of
from tokharness.targets.subject import Subject

DROPPED = "dropped characters"


@pytest.fixture
def told(byte_tokenizer):
    """Records of a target that drops a character and changes another, a fresh one each time."""

    def faulty(text):
        return text.replace("\u200b", "").replace("z", "y")

    def records(texts, known=(), codes=("TOK101",), before=faulty):
        checks = [plugins.checks()[code] for code in codes]
        subject = Subject(target_of("target", byte_tokenizer(before)))
        return triage(checks, subject, dict.fromkeys(codes, texts), known)

    return records


def test_a_record_names_check_cause_and_the_shortest_text(told):
    (record,) = told(["ab\u200b", "\u200b", "abc\u200b"])
    assert (record["code"], record["kind"], record["text"]) == ("TOK101", DROPPED, "\u200b")
    assert "U+200B" in str(record["parameters"])
    assert record["message"]


def test_two_causes_in_texts_of_their_own_are_two_records(told):
    found = told(["a\u200b", "az"])
    assert {record["text"] for record in found} == {"a\u200b", "az"}
    assert len({str(record["parameters"]) for record in found}) == 2


def test_what_is_known_is_not_told_again(told):
    first = told(["a\u200b"])
    known = [[one["code"], one["kind"], one["parameters"]] for one in first]
    assert told(["b\u200b"], known) == []
    (record,) = told(["b\u200b", "bz"], known)
    assert record["text"] == "bz"


def test_what_another_check_knows_is_told(told):
    known = [["TOK999", one["kind"], one["parameters"]] for one in told(["a\u200b"])]
    assert told(["a\u200b"], known)


def test_a_check_without_failing_texts_tells_nothing(told):
    assert told([]) == []


def test_texts_that_are_too_long_are_no_example_of_the_shortest(told):
    (record,) = told(["\u200b" * 10_001, "ab\u200b"])
    assert record["text"] == "ab\u200b"


def test_of_very_many_texts_few_are_looked_at(told):
    asked = []

    def counted(text):
        asked.append(text)
        return text.replace("\u200b", "")

    (record,) = told([f"{n}\u200b" for n in range(5000)], before=counted)
    assert record["text"] == "0\u200b"
    assert len({text for text in asked if text.rstrip("\u200b").isdecimal()}) < 100
