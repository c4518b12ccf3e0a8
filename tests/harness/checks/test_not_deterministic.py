"""TOK109: the same text gets different ids when it is encoded again."""

import functools
import random

import pytest

from tokharness import plugins
from tokharness.diagnosis.state import RANDOM_SEGMENTATION
from tokharness.model import Target, target_of
from tokharness.targets.subject import Subject

CODE = "TOK109"
RARELY = 0.08
TEXTS = ("a", "b", "word", "word", "Word", "\u4e2d", "a\ud800b", "")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Shorten the test with threads, which takes all its time on a correct target."""
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 0.15)


def causes(findings):
    return [str(finding.cause) for finding in findings]


def test_a_healthy_target_passes(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(), TEXTS) == []


@pytest.mark.parametrize("order", [slice(None, None, -1), slice(None)])
def test_results_of_a_request_in_another_order_are_named(
    check_texts, byte_tokenizer, monkeypatch, order
):
    in_order = Target.call_each
    monkeypatch.setattr(Target, "call_each", lambda *given: in_order(*given)[order])
    found = check_texts(CODE, byte_tokenizer(), TEXTS)
    named = [str(one.cause) for one in found if "order" in str(one.cause)]
    assert named == ["state: results in another order"] * (order.step == -1)


def test_a_target_that_always_raises_passes(check_texts, byte_tokenizer):
    def encode(text):
        raise ValueError(text)

    tokenizer = byte_tokenizer()
    tokenizer.encode = encode
    assert check_texts(CODE, tokenizer, TEXTS) == []


def test_a_list_that_is_shared_with_the_caller_is_a_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = functools.cache(tokenizer.encode)
    assert causes(check_texts(CODE, tokenizer)) == ["state: a list shared with the caller"]


def test_state_that_one_call_leaves_for_the_next_is_a_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    plain, rest = tokenizer.encode, []

    def encode(text):
        ids = [*rest, *plain(text)]
        rest[:] = [] if text.isascii() else ids[-1:]
        return ids

    tokenizer.encode = encode
    assert causes(check_texts(CODE, tokenizer, TEXTS)) == ["state"]


def test_a_text_with_different_ids_at_the_second_call_is_a_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    plain, encoded = tokenizer.encode, set()

    def encode(text):
        known = text in encoded
        encoded.add(text)
        return plain(text[:-1] if known else text)

    tokenizer.encode = encode
    assert "state" in causes(check_texts(CODE, tokenizer, ["xyz"]))


def test_one_failure_in_hundreds_of_calls_is_found(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    plain, calls = tokenizer.encode, []

    def encode(text):
        calls.append(text)
        return plain(text) if len(calls) != 700 else plain(text)[1:]

    tokenizer.encode = encode
    findings = check_texts(CODE, tokenizer, [f"text {number}" for number in range(600)])
    assert causes(findings) == ["state"]


def test_a_text_that_is_rarely_cut_at_random_is_diagnosed(byte_tokenizer):
    tokenizer = byte_tokenizer()
    plain, draw = tokenizer.encode, random.Random(0)
    tokenizer.encode = lambda text: plain(text) if draw.random() > RARELY else [*plain(text), 0]
    subject = Subject(target_of("target", tokenizer))
    subject.cache.get_or_compute("random segmentation", lambda: True)
    diagnose = plugins.checks()[CODE].diagnose
    assert diagnose("be", subject) == [RANDOM_SEGMENTATION]
    assert diagnose("be", Subject(target_of("target", byte_tokenizer()))) == []
