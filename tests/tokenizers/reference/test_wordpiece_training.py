"""WordPiece training: the fast algorithm is the textbook's, and Hugging Face's is another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textbook import wordpiece_merges

from tokharness_tokenizers.reference.wordpiece_training import (
    merges,
)

WORDS = st.dictionaries(
    st.text(alphabet="abcd", min_size=1, max_size=9), st.integers(1, 9), max_size=14
)


@given(WORDS, st.integers(1, 4))
def test_the_scores_of_the_fast_algorithm_are_those_of_the_textbook(
    counts: dict[str, int], minimum: int
) -> None:
    assert list(merges(counts, minimum)) == list(wordpiece_merges(counts, minimum))


ANY = st.text(st.characters(exclude_characters="#"), min_size=1, max_size=7)


@given(st.dictionaries(ANY, st.integers(1, 3), max_size=9))
def test_any_characters_merge_like_the_textbook(counts: dict[str, int]) -> None:
    assert list(merges(counts)) == list(wordpiece_merges(counts))


@pytest.mark.parametrize("word", ["a" * 9, "ab" * 8, "aab" * 5, "abcabc" * 3, "aabaaab" * 3])
def test_adjacent_and_overlapping_pairs_merge_like_the_textbook(word: str) -> None:
    counts = {word: 3, word[1:]: 2, word[:-1] + "x": 1}
    assert list(merges(counts, 1)) == list(wordpiece_merges(counts, 1))
