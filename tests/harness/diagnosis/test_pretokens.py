"""Pre-tokens that a target reads only up to an end."""

from types import SimpleNamespace

import pytest

from tokharness.diagnosis.text.changes import explain_change
from tokharness.diagnosis.text.pretokens import ids_of_short_words, short_word_causes
from tokharness.model import target_of
from tokharness.targets.subject import Subject


def pretokens(text):
    words = text.split(" ")
    return [words[0], *(f" {word}" for word in words[1:])]


def subject_of(end):
    """Return a subject whose target reads each word only up to an end."""

    def encode(text):
        return [byte for word in pretokens(text) for byte in end(word.encode())]

    target = SimpleNamespace(
        encode=encode, decode=lambda ids: bytes(ids).decode("utf-8", "replace")
    )
    plain = SimpleNamespace(
        encode=lambda text: [*text.encode()], decode=target.decode, pretokens=pretokens
    )
    reference = target_of("reference", plain)
    return Subject(target_of("target", target), reference, reference)


def causes_of(text, subject):
    return short_word_causes(text, subject.decode(subject.encode(text)), subject)


ENDS = [
    ("at U+0000", lambda word: word.split(b"\0")[0], "a\0b c\0 d"),
    ("after 16 bytes", lambda word: word[:16], "\u00e9" * 8 + "b c " + "d" * 30),
    ("after 16 bytes", lambda word: word[:16], "a" + "\u00e9" * 9 + " b"),
    ("after 16 characters", lambda word: word.decode()[:16].encode(), "\u00e9" * 17 + " b"),
]


@pytest.mark.parametrize(("name", "end", "text"), ENDS)
def test_the_end_of_pre_tokens_is_named(name, end, text):
    subject = subject_of(end)
    assert f"truncated: each pre-token {name}" in map(str, causes_of(text, subject))


def test_an_end_predicts_the_ids_of_texts():
    _, end, text = ENDS[0]
    subject = subject_of(end)
    (cause,) = causes_of(text, subject)
    for other in (text, "a b", " \0"):
        assert ids_of_short_words(cause, subject, other) == subject.encode(other)


def test_nothing_is_known_of_an_end_inside_a_character():
    subject = subject_of(ENDS[1][1])
    cause = next(one for one in causes_of(ENDS[2][2], subject) if "bytes" in str(one))
    assert ids_of_short_words(cause, subject, ENDS[2][2]) is None


def test_a_text_that_ends_at_null_may_have_either_cause():
    subject = subject_of(lambda word: word)
    found = explain_change("a\0b", "a", subject, lambda text: text.split("\0")[0], "test")
    assert [*map(str, found)] == ["truncated: each pre-token at U+0000", "truncated: U+0000"]


@pytest.mark.parametrize("text", ["a b", "a\0b c", "a" * 16])
def test_words_that_come_back_have_no_end(text):
    assert not causes_of(text, subject_of(lambda word: word))
