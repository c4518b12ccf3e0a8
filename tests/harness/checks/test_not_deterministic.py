"""TOK109: the same text, other ids."""

import functools

import pytest

CODE = "TOK109"
TEXTS = ("a", "b", "word", "word", "Word", "\u4e2d", "a\ud800b", "")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Healthy targets take all the time there is for threads."""
    monkeypatch.setattr("tokharness.diagnosis.probes.threads.SECONDS", 0.15)


def causes(found):
    return [str(one.cause) for one in found]


def test_a_healthy_target_is_not_accused(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(), TEXTS) == []


def test_a_target_that_raises_on_everything_is_not_accused(check_texts, byte_tokenizer):
    def encode(text):
        raise ValueError(text)

    one = byte_tokenizer()
    one.encode = encode
    assert check_texts(CODE, one, TEXTS) == []


def test_a_list_that_is_shared_with_the_caller_is_a_bug(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = functools.cache(one.encode)
    assert causes(check_texts(CODE, one)) == ["state: a list shared with the caller"]


def test_state_that_one_call_leaves_for_the_next_is_a_bug(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    plain, left = one.encode, []

    def encode(text):
        ids = [*left, *plain(text)]
        left[:] = [] if text.isascii() else ids[-1:]
        return ids

    one.encode = encode
    assert causes(check_texts(CODE, one, TEXTS)) == ["state"]


def test_a_text_that_is_treated_otherwise_at_the_second_time_is_a_bug(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    plain, seen = one.encode, set()

    def encode(text):
        known = text in seen
        seen.add(text)
        return plain(text[:-1] if known else text)

    one.encode = encode
    assert "state" in causes(check_texts(CODE, one, ["xyz"]))


def test_what_fails_once_in_hundreds_of_calls_is_seen_in_a_batch(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    plain, calls = one.encode, []

    def encode(text):
        calls.append(text)
        return plain(text) if len(calls) != 700 else plain(text)[1:]

    one.encode = encode
    found = check_texts(CODE, one, [f"text {number}" for number in range(600)])
    assert causes(found) == ["state"]
