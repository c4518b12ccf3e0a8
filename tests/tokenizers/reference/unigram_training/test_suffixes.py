"""Expected counts and best segmentations by suffixes."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textbook import best_path

from tokharness_tokenizers.reference.unigram_training.expectation import (
    Suffixes,
    edges,
    expected_counts,
)

WORDS = st.dictionaries(st.text("abc", min_size=1, max_size=9), st.integers(1, 99), min_size=1)
SCORES = st.dictionaries(
    st.text("abc", min_size=1, max_size=4), st.floats(-9.0, -0.1), min_size=1, max_size=15
)


def suffixes_of(words: dict[str, int], scores: dict[str, float]) -> Suffixes:
    """Return the suffixes with more pieces than have scores, some of which are then dropped."""
    pieces = dict.fromkeys(["a", "b", "c", "ab", "abc", "ca", *scores])
    suffixes = Suffixes.of(words, pieces)
    suffixes.keep(scores)
    return suffixes


@pytest.mark.slow
@given(WORDS, SCORES)
def test_expected_counts_equal_those_of_the_textbook(
    words: dict[str, int], scores: dict[str, float]
) -> None:
    expected, likelihood = suffixes_of(words, scores).expected(scores)
    plain, plain_likelihood = expected_counts(words, scores)
    assert likelihood == pytest.approx(plain_likelihood)
    assert expected == pytest.approx(dict.fromkeys(scores, 0.0) | plain, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("score", [-20.0, -1.5, -0.001])
def test_long_words_are_counted_too_whatever_their_probability(score: float) -> None:
    words = {"ab": 3, "a" * 600: 2, "b": 1, "b" + "a" * 64: 5, "ab" * 40: 1}
    scores = {"a": score, "b": -1.0, "aa": -9.0}
    expected, likelihood = suffixes_of(words, scores).expected(scores)
    plain, plain_likelihood = expected_counts(words, scores)
    assert likelihood == pytest.approx(plain_likelihood)
    assert expected == pytest.approx(plain)


@pytest.mark.slow
@given(WORDS, SCORES)
def test_best_segmentations_have_the_score_of_viterbi(
    words: dict[str, int], scores: dict[str, float]
) -> None:
    counts = suffixes_of(words, scores).best_counts(scores)
    found = Counter(dict.fromkeys(scores, 0))
    best = 0.0
    for word, count in words.items():
        path, score = best_path(len(word), edges(word, scores))
        best += count * score
        found.update({word[a:b]: 0 for a, b in path if word[a:b] in scores})
    unknown = sum(len(word) * count for word, count in words.items()) - sum(
        len(piece) * count for piece, count in counts.items()
    )
    total = sum(scores[piece] * count for piece, count in counts.items())
    assert total + unknown * (min(scores.values()) - 10) == pytest.approx(best)


def test_a_character_without_a_score_is_unknown() -> None:
    scores = {"a": math.log(0.5)}
    assert suffixes_of({"ab": 2}, scores).best_counts(scores) == {"a": 2}
