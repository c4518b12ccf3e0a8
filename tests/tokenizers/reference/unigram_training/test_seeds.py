"""The seeds of a Unigram model."""

from __future__ import annotations

import pytest
import textbook
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.sentencepiece_training import PieceRules
from tokharness_tokenizers.reference.unigram_training.training import (
    repeated_substrings,
    seed_scores,
)

RULES = PieceRules()
WORDS = st.dictionaries(
    st.text("ab\u2585\u03b1\u0301\u65e5\u672c1", max_size=20).map("\u2581{}".format),
    st.integers(1, 5),
    max_size=8,
)


@pytest.mark.slow
@given(WORDS, WORDS, st.sampled_from([2, 3, 16]))
def test_a_sorted_list_of_suffixes_finds_what_the_definition_says(
    followed: dict[str, int], last: dict[str, int], longest: int
) -> None:
    rules = PieceRules(longest)
    expected = textbook.repeated_substrings(followed, last, rules)
    assert repeated_substrings(followed, last, rules) == expected


def test_a_seed_has_two_different_followers() -> None:
    words = {"\u2581zebra": 9, "\u2581zeal": 1}
    assert repeated_substrings(words, {}, RULES) == {"\u2581ze": 10, "ze": 10}


def test_the_end_of_a_line_is_a_follower() -> None:
    assert repeated_substrings({"\u2581ab": 1}, {"\u2581ab": 1}, RULES) == {
        "\u2581ab": 2,
        "ab": 2,
    }


def test_followers_that_begin_with_the_same_byte_are_one() -> None:
    assert repeated_substrings({"\u2581ab\u4e00": 1, "\u2581ab\u4e01": 1}, {}, RULES) == {}


def test_characters_come_first_then_substrings_by_their_share_of_the_text() -> None:
    seeds = seed_scores({"\u2581ab": 2, "\u2581abc": 1, "\u2581c\u2585": 1}, {}, RULES, 2)
    assert list(seeds.items()) == [
        ("\u2581", 4),
        ("a", 3),
        ("b", 3),
        ("c", 2),
        ("\u2581ab", 9),
        ("ab", 6),
    ]
