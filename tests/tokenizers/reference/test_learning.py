from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.byte_bpe_training import merges, merges_simple

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.byte_bpe_training import Ties

both_rules = pytest.mark.parametrize("ties", ["bytes", "ids"])


@both_rules
@given(st.dictionaries(st.text(alphabet="abc", max_size=12), st.integers(1, 5), max_size=12))
def test_words_merge_like_the_textbook(ties: Ties, counts: dict[str, int]) -> None:
    assert list(merges(counts, ties)) == list(merges_simple(counts, ties))


@both_rules
@given(st.dictionaries(st.text(max_size=9), st.integers(1, 3), max_size=9))
def test_multibyte_characters_merge_like_the_textbook(ties: Ties, counts: dict[str, int]) -> None:
    assert list(merges(counts, ties)) == list(merges_simple(counts, ties))


@both_rules
@pytest.mark.parametrize("word", ["a" * 9, "ab" * 8, "aab" * 5, "abcabc" * 3, "aabaaab" * 3])
def test_adjacent_and_overlapping_pairs_merge_like_the_textbook(ties: Ties, word: str) -> None:
    counts = {word: 3, word[1:]: 2, word[:-1] + "x": 1}
    assert list(merges(counts, ties)) == list(merges_simple(counts, ties))


@both_rules
@given(st.lists(st.text(alphabet="ab", min_size=2, max_size=30), max_size=9))
def test_no_two_merges_have_the_same_bytes(ties: Ties, words: list[str]) -> None:
    tokens = [left + right for left, right in merges(dict.fromkeys(words, 2), ties)]
    assert len(set(tokens)) == len(tokens)


def test_of_equally_frequent_pairs_the_least_bytes_merge_first() -> None:
    # Twice each: 0x20 0x21, 0x21 0x61, and the accented letter's 0xC3 0xA9.
    counts = {" !": 2, "!a": 2, "\u00e9": 2}
    assert list(merges(counts)) == [(b" ", b"!"), (b"!", b"a"), (b"\xc3", b"\xa9")]


def test_of_equally_frequent_pairs_the_least_ids_merge_first() -> None:
    # A space is not a visible character, so it comes after the other bytes.
    counts = {" !": 2, "!a": 2, "\u00e9": 2}
    assert list(merges(counts, "ids")) == [(b"!", b"a"), (b"\xc3", b"\xa9"), (b" ", b"!")]


def test_a_token_made_later_has_the_larger_id() -> None:
    # "zz" is made before "ab": by ids its pair comes first, by bytes last.
    counts = {"zz": 9, "ab": 8, "zzq": 2, "abq": 2}
    assert list(islice(merges(counts, "ids"), 2, 3)) == [(b"zz", b"q")]
    assert list(islice(merges(counts, "bytes"), 2, 3)) == [(b"ab", b"q")]
