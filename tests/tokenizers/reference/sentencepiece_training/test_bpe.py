"""The pieces of SentencePiece's BPE."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest
import textbook
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.sentencepiece_training import (
    PieceRules,
    merged_pieces,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Learn = Callable[[Mapping[str, int], PieceRules], Iterator[str]]

LEARN = [merged_pieces, textbook.merged_pieces]
WORDS = st.dictionaries(
    st.text("ab\u2585\u03b1\u0301\u65e5\u672c1", max_size=20).map("\u2581{}".format),
    st.integers(1, 5),
    max_size=8,
)


@pytest.mark.slow
@given(WORDS, st.sampled_from([2, 3, 16]))
def test_the_fast_algorithm_learns_what_the_textbook_does(
    words: dict[str, int], longest: int
) -> None:
    rules = PieceRules(longest)
    assert list(merged_pieces(words, rules)) == list(textbook.merged_pieces(words, rules))


@pytest.mark.parametrize("learn", LEARN)
def test_of_equally_frequent_pairs_the_shortest_then_the_least_is_merged(learn: Learn) -> None:
    words = {"\u2581cab": 2, "\u2581xy": 2}
    assert list(islice(learn(words, PieceRules()), 4)) == ["ab", "xy", "\u2581c", "\u2581xy"]


@pytest.mark.parametrize("learn", LEARN)
def test_pairs_that_occur_once_are_merged_and_then_no_more(learn: Learn) -> None:
    assert list(learn({"\u2581ab": 1}, PieceRules())) == ["ab", "\u2581ab"]


@pytest.mark.parametrize("learn", LEARN)
def test_no_piece_is_longer_than_allowed_or_of_two_scripts(learn: Learn) -> None:
    assert list(learn({"\u2581abab1b": 9}, PieceRules(2))) == ["ab"]
