"""A failing text is shrunk to a smallest one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tokharness.engine.worker.shrinking import SIMPLE, shrink

texts = st.text(st.sampled_from("ab01 A'x\u200b\u0301\ud800\U0001f600"), min_size=1, max_size=30)
needles = st.text(st.sampled_from("a0x'\u200b\ud800"), min_size=1, max_size=4)


def subsequence(needle):
    """Return a monotonic predicate: whether a text has these characters in this order."""

    def occurs(text):
        rest = iter(text)
        return all(character in rest for character in needle)

    return occurs


def counting(fails):
    calls = []

    def counted(text):
        calls.append(text)
        return fails(text)

    return counted, calls


@given(needles, st.lists(texts, min_size=5, max_size=5))
@example("aa", ["a"] * 5)
def test_only_the_required_characters_are_left(needle, fillers):
    text = fillers[-1] + "".join(map("".join, zip(fillers, needle, strict=False)))
    assert shrink(text, subsequence(needle)) == needle


@pytest.mark.slow
@given(texts, st.randoms(use_true_random=False))
def test_the_result_fails_and_is_not_longer(text, random):
    results = {text: True}

    def fails(candidate):
        return results.setdefault(candidate, random.random() < 0.3)

    result = shrink(text, fails)
    assert results[result]
    assert len(result) <= len(text)


@given(texts, st.randoms(use_true_random=False))
def test_no_character_of_the_result_can_be_removed_or_simplified(text, random):
    results = {text: True}

    def fails(candidate):
        return results.setdefault(candidate, random.random() < 0.3)

    result = shrink(text, fails)
    for index, character in enumerate(result):
        shorter = result[:index] + result[index + 1 :]
        assert not shorter or not fails(shorter)
        simpler = SIMPLE[: SIMPLE.index(character)] if character in SIMPLE else SIMPLE
        for simple in simpler:
            assert not fails(result[:index] + simple + result[index + 1 :])


@given(texts, st.integers(0, 40), st.randoms(use_true_random=False))
def test_the_number_of_calls_is_limited_and_the_result_fails(text, budget, random):
    fails, calls = counting(lambda _: random.random() < 0.5)
    results = {}

    def recorded(candidate):
        results[candidate] = fails(candidate)
        return results[candidate]

    result = shrink(text, recorded, max_calls=budget)
    assert len(calls) <= budget
    assert result == text or results[result]


@given(texts, needles)
def test_no_text_is_tested_twice_and_none_is_empty(text, needle):
    fails, calls = counting(subsequence(needle))
    shrink(text, fails)
    assert len(set(calls)) == len(calls)
    assert "" not in calls


@pytest.mark.parametrize("length", [100, 5000])
def test_one_character_in_a_long_text_is_found_in_few_calls(length):
    fails, calls = counting(lambda text: "\uffff" in text)
    assert shrink("b" * length + "\uffff" + "b" * length, fails) == "\uffff"
    assert len(calls) < 100


def test_characters_are_replaced_with_the_simplest():
    assert shrink("\u4e2d\u6587\u5b57\u7b26", lambda text: len(text) >= 4) == "aaaa"


def test_characters_are_replaced_with_the_simplest_of_their_kind():
    assert shrink("Z9", lambda text: text[:1].isupper() and text[1:].isdigit()) == "A0"


def test_a_length_is_found_in_few_calls():
    calls = []

    def fails(text):
        calls.append(text)
        return len(text) > 46_340

    assert shrink("the quick brown fox " * 5000, fails) == "a" * 46_341
    assert len(calls) < 300


def test_a_character_in_the_middle_of_a_long_text_is_found():
    text = "the quick brown fox " * 2000 + "\u200b" + "jumps over " * 2000
    assert shrink(text, lambda candidate: "\u200b" in candidate) == "\u200b"


def test_a_long_text_becomes_a_run_before_it_is_cut():
    """A memory limit is not exact: another text of just the shortest length may pass."""
    text = "the quick brown fox " * 500
    shrunk = shrink(text, lambda run: len(run) >= 5000 and (len(run) > 5000 or "a" not in run))
    assert shrunk == "a" * 5001


def test_a_number_of_bytes_is_kept_with_simple_characters():
    shrunk = shrink("\u00e9\u00e8 " * 1000, lambda run: len(run.encode()) >= 4000)
    assert shrunk == "a" * 4000


def test_a_million_characters_are_cut_in_few_calls():
    fails, calls = counting(lambda text: len(text) > 300_000)
    result = shrink("\u4e2d" * 1_000_000, fails)
    assert 300_000 < len(result) < 310_000
    assert len(calls) < 30


def test_after_the_last_call_the_best_text_so_far_is_returned():
    fails, calls = counting(lambda text: text.count("x") > 20)
    result = shrink("x" * 200, fails, max_calls=5)
    assert len(calls) == 5
    assert 20 < len(result) < 200
