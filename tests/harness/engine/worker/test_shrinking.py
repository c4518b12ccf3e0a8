"""A failing text is reduced to a smallest one that fails for the same reason."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokharness.engine.worker.shrinking import SIMPLE, shrink

texts = st.text(st.sampled_from("ab01 A'x\u200b\u0301\ud800\U0001f600"), min_size=1, max_size=30)
needles = st.text(st.sampled_from("a0x'\u200b\ud800"), min_size=1, max_size=4)


def subsequence(needle):
    """Whether all characters of a text occur in another, in order, is monotonic."""

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
@settings(deadline=None)
def test_of_a_text_that_has_to_hold_another_that_other_is_left(needle, fillers):
    text = fillers[-1] + "".join(map("".join, zip(fillers, needle, strict=False)))
    assert shrink(text, subsequence(needle)) == needle


@given(texts, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_whatever_fails_the_result_fails_and_is_not_longer(text, random):
    known = {text: True}

    def fails(candidate):
        return known.setdefault(candidate, random.random() < 0.3)

    result = shrink(text, fails)
    assert known[result]
    assert len(result) <= len(text)


@given(texts, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_no_single_character_of_the_result_can_be_left_out_or_made_simpler(text, random):
    known = {text: True}

    def fails(candidate):
        return known.setdefault(candidate, random.random() < 0.3)

    result = shrink(text, fails)
    for place, character in enumerate(result):
        shorter = result[:place] + result[place + 1 :]
        assert not shorter or not fails(shorter)
        simpler = SIMPLE[: SIMPLE.index(character)] if character in SIMPLE else SIMPLE
        for simple in simpler:
            assert not fails(result[:place] + simple + result[place + 1 :])


@given(texts, st.integers(0, 40), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_budget_of_calls_is_kept_and_the_result_still_fails(text, budget, random):
    fails, calls = counting(lambda _: random.random() < 0.5)
    told = {}

    def remembered(candidate):
        told[candidate] = fails(candidate)
        return told[candidate]

    result = shrink(text, remembered, max_calls=budget)
    assert len(calls) <= budget
    assert result == text or told[result]


@given(texts, needles)
@settings(deadline=None)
def test_no_text_is_asked_about_twice_and_none_is_empty(text, needle):
    fails, calls = counting(subsequence(needle))
    shrink(text, fails)
    assert len(set(calls)) == len(calls)
    assert "" not in calls


@pytest.mark.parametrize("length", [100, 5000])
def test_one_character_in_a_long_text_is_found_in_few_calls(length):
    fails, calls = counting(lambda text: "\uffff" in text)
    assert shrink("b" * length + "\uffff" + "b" * length, fails) == "\uffff"
    assert len(calls) < 100


def test_characters_are_made_simple_where_any_will_do():
    assert shrink("\u4e2d\u6587\u5b57\u7b26", lambda text: len(text) >= 4) == "aaaa"


def test_each_kind_of_character_gets_the_simplest_of_its_kind():
    assert shrink("Z9", lambda text: text[:1].isupper() and text[1:].isdigit()) == "A0"


def test_a_length_is_found_in_few_calls():
    asked = []

    def fails(text):
        asked.append(text)
        return len(text) > 46_340

    assert shrink("the quick brown fox " * 5000, fails) == "a" * 46_341
    assert len(asked) < 300


def test_what_stands_deep_in_a_long_text_is_found():
    text = "the quick brown fox " * 2000 + "\u200b" + "jumps over " * 2000
    assert shrink(text, lambda candidate: "\u200b" in candidate) == "\u200b"


def test_a_long_text_is_made_a_run_of_one_character_before_it_is_cut():
    """A limit of memory is not exact: other texts of just the shortest length may pass."""
    text = "the quick brown fox " * 500
    shrunk = shrink(text, lambda one: len(one) >= 5000 and (len(one) > 5000 or "a" not in one))
    assert shrunk == "a" * 5001


def test_a_number_of_bytes_is_found_with_the_simplest_characters():
    shrunk = shrink("\u00e9\u00e8 " * 1000, lambda one: len(one.encode()) >= 4000)
    assert shrunk == "a" * 4000


def test_of_a_million_characters_few_are_asked_about_and_most_are_cut():
    fails, calls = counting(lambda text: len(text) > 300_000)
    result = shrink("\u4e2d" * 1_000_000, fails)
    assert 300_000 < len(result) < 310_000
    assert len(calls) < 30


def test_when_no_more_may_be_asked_the_best_so_far_is_the_answer():
    fails, calls = counting(lambda text: text.count("x") > 20)
    result = shrink("x" * 200, fails, max_calls=5)
    assert len(calls) == 5
    assert 20 < len(result) < 200
