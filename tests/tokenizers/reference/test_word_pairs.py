"""

The last merge of a token is what its bytes become without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.merge_lists import last_merges
from tokharness_tokenizers.reference.merging import merge
from tokharness_tokenizers.reference.word_pairs import WordPairs

if TYPE_CHECKING:
    from typing import SupportsIndex


class ReadCounter(list[str]):
    """A list that counts how often its items are read."""

    reads = 0

    def __getitem__(self, index: SupportsIndex) -> str:  # type: ignore[override]
        self.reads += 1
        return super().__getitem__(index)


def test_a_merge_reads_a_word_with_repeated_pairs_once() -> None:
    words = WordPairs.of([("a" * 64, 1)])
    texts = ReadCounter(words.texts)
    words = replace(words, texts=texts)
    words.merge("aa", "b")
    words.merge("bb", "c")
    assert texts.reads == 2
    assert texts == ["c" * 16]


def parts_of(token, tokens):
    """What earlier tokens make of the bytes of a token."""
    return tuple(merge(token, {earlier: rank for rank, earlier in enumerate(tokens)}))


def trained(places):
    """Tokens, each made of two earlier ones or bytes."""
    tokens, all_parts = [], [b"a", b"b", b"c"]
    for left, right in places:
        token = all_parts[left % len(all_parts)] + all_parts[right % len(all_parts)]
        if token not in all_parts and len(parts_of(token, tokens)) == 2:
            tokens.append(token)
            all_parts.append(token)
    return tokens


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=40).map(trained))
def test_the_parts_are_what_the_tokens_before_merge_its_bytes_to(tokens):
    ranks = {token: rank for rank, token in enumerate(tokens)}
    expected = {token: parts_of(token, tokens[:place]) for place, token in enumerate(tokens)}
    assert last_merges(ranks) == expected


@given(st.lists(st.text("ab", min_size=2, max_size=5).map(str.encode), unique=True, max_size=9))
def test_tokens_that_are_not_made_of_earlier_ones_have_no_answer(tokens):
    ranks = {token: rank for rank, token in enumerate(tokens)}
    parts = [parts_of(token, tokens[:place]) for place, token in enumerate(tokens)]
    assert (last_merges(ranks) is None) == any(len(one) != 2 for one in parts)
