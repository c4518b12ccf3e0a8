"""Unigram as it is published.

Sources: Kudo 2018, "Subword Regularization", section 3.2; the Hugging Face course, "Unigram
tokenization"; Abramowitz and Stegun 1964 for the digamma function.
"""

from __future__ import annotations

import math

import pytest
from textbook import best_path

from tokharness_tokenizers.reference.sentencepiece_training import PieceRules
from tokharness_tokenizers.reference.unigram_training.expectation import (
    Suffixes,
    digamma,
    edges,
    expected_counts,
    maximize,
)
from tokharness_tokenizers.reference.unigram_training.training import loss, other_ways

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
"""The words of the course."""

COUNTS = {"h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16, "un": 16}
COUNTS |= {"b": 4, "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5}
"""The frequencies of its tokens, 210 in total."""

SCORES = {piece: math.log(count / 210) for piece, count in COUNTS.items()}


def best(word: str, scores: dict[str, float] = SCORES) -> tuple[list[str], float]:
    path, score = best_path(len(word), edges(word, scores))
    return [word[start:stop] for start, stop in path], math.exp(score)


def course_loss(scores: dict[str, float]) -> float:
    return -sum(count * math.log(best(word, scores)[1]) for word, count in HUG.items())


def test_the_tokens_of_the_course_are_the_strict_substrings_of_its_words() -> None:
    counts: dict[str, int] = {}
    for word, count in HUG.items():
        for start in range(len(word)):
            for stop in range(start + 1, len(word) + 1):
                counts[word[start:stop]] = counts.get(word[start:stop], 0) + count
    rules = PieceRules()
    strict = {text: n for text, n in counts.items() if text not in {"pug", "pun", "bun", "hugs"}}
    assert strict == COUNTS
    assert sum(COUNTS.values()) == 210
    assert all(map(rules.allow, COUNTS))


@pytest.mark.parametrize(
    ("word", "score"),
    [
        ("hug", 0.071428),
        ("pug", 0.007710),
        ("pun", 0.006168),
        ("bun", 0.001451),
        ("hugs", 0.001701),
    ],
)
def test_the_best_segmentations_have_the_scores_of_the_course(word: str, score: float) -> None:
    assert best(word)[1] == pytest.approx(score, abs=1e-6)


def test_unhug_is_cut_as_in_the_course() -> None:
    assert best("unhug") == (["un", "hug"], pytest.approx(0.005442, abs=1e-6))


def test_the_loss_is_that_of_the_course() -> None:
    assert course_loss(SCORES) == pytest.approx(169.8, abs=0.05)


@pytest.mark.parametrize(("piece", "change"), [("pu", 0.0), ("hug", 23.5)])
def test_the_loss_without_a_token_changes_as_in_the_course(piece: str, change: float) -> None:
    without = {text: score for text, score in SCORES.items() if text != piece}
    assert course_loss(without) - course_loss(SCORES) == pytest.approx(change, abs=0.05)


def test_expected_counts_weigh_all_segmentations_by_hand() -> None:
    scores = {"a": math.log(0.2), "b": math.log(0.3), "ab": math.log(0.14)}
    expected, likelihood = expected_counts({"ab": 5}, scores)
    # P(a)P(b) = 0.06 and P(ab) = 0.14, so shares of 0.3 and 0.7
    assert expected == pytest.approx({"a": 1.5, "b": 1.5, "ab": 3.5})
    assert likelihood == pytest.approx(5 * math.log(0.2))


def test_em_without_the_prior_never_lowers_the_likelihood() -> None:
    scores = dict(SCORES)
    likelihoods = []
    for _ in range(8):
        expected, likelihood = expected_counts(HUG, scores)
        likelihoods.append(likelihood)
        total = sum(expected.values())
        scores = {piece: math.log(count / total) for piece, count in expected.items() if count}
    assert likelihoods == sorted(likelihoods)
    assert likelihoods[-1] > likelihoods[0]


@pytest.mark.parametrize(
    ("x", "value"),
    [
        (1.0, -0.57721566490153286),
        (0.5, -0.57721566490153286 - 2 * math.log(2)),
        (2.0, 1 - 0.57721566490153286),
        (1.5, 0.03648997397857652),
    ],
)
def test_digamma_has_the_values_of_abramowitz_and_stegun(x: float, value: float) -> None:
    assert digamma(x) == pytest.approx(value, abs=1e-12)


def test_the_m_step_drops_what_is_expected_less_than_half_a_time() -> None:
    scores = maximize({"a": 9.5, "b": 0.5, "c": 0.49})
    assert scores == pytest.approx(
        {"a": digamma(9.5) - digamma(10.0), "b": digamma(0.5) - digamma(10.0)}
    )


def test_the_loss_of_pruning_is_that_of_both_segmentations_by_hand() -> None:
    # 2 of 10 tokens are "ab". Without it, "a" and "b" occur 3 + 2 and 5 + 2 times of 12.
    after = math.log(5 / 12) + math.log(7 / 12)
    assert loss(2, [3, 5], 10) == pytest.approx(0.2 * (math.log(0.2) - after))


def test_the_other_way_to_cut_hug_is_the_second_best_of_the_course() -> None:
    ((parts, score),) = other_ways(["hug"], SCORES)
    assert parts in (["hu", "g"], ["h", "ug"])
    assert math.exp(score) == pytest.approx(0.006802, abs=1e-6)


def test_counts_by_suffixes_are_those_of_the_forward_backward_algorithm() -> None:
    expected, likelihood = Suffixes.of(HUG, SCORES).expected(SCORES)
    plain, plain_likelihood = expected_counts(HUG, SCORES)
    assert {piece: count for piece, count in expected.items() if count} == pytest.approx(plain)
    assert likelihood == pytest.approx(plain_likelihood)
