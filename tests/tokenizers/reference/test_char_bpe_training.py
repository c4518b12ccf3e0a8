"""BPE over characters: the fast algorithm is the textbook's, and subword-nmt's."""

from __future__ import annotations

import io
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textbook import char_merges

from tokharness_tokenizers.reference.char_bpe_training import (
    END,
    alphabet_of,
    count_words,
    learn,
    merges,
)

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.char_bpe_training import Ties

both_rules = pytest.mark.parametrize("ties", ["greatest", "ids"])


def counts_of(characters: st.SearchStrategy[str] | str) -> st.SearchStrategy[dict[str, int]]:
    words = st.text(characters, min_size=1, max_size=9)
    return st.dictionaries(words, st.integers(1, 4), max_size=12)


@both_rules
@given(counts_of("abc"))
def test_words_merge_like_the_textbook(ties: Ties, counts: dict[str, int]) -> None:
    assert list(merges(counts, ties)) == list(char_merges(counts, ties))


@both_rules
@given(counts_of(st.characters(exclude_characters="<")))
def test_any_characters_merge_like_the_textbook(ties: Ties, counts: dict[str, int]) -> None:
    assert list(merges(counts, ties)) == list(char_merges(counts, ties))


@pytest.mark.slow
@given(counts_of("abc"), st.integers(0, 30))
def test_learning_ends_at_a_number_of_tokens(counts: dict[str, int], size: int) -> None:
    alphabet = alphabet_of(counts)
    numbers: list[int] = []
    learned = learn(counts, size, numbers.append)
    assert learned.merges == list(islice(merges(counts), max(0, size - len(alphabet))))
    assert list(learned.tokens) == [*alphabet, *(left + right for left, right in learned.merges)]
    assert numbers == list(range(len(alphabet) + 1, len(learned.tokens) + 1))
    characters = sum(len(word) * count for word, count in counts.items())
    kept = (len(name.removesuffix(END)) * count for name, count in learned.tokens.items())
    assert sum(kept) == characters


@given(counts_of("abc"))
def test_the_order_of_an_alphabet_decides_ties_by_ids(counts: dict[str, int]) -> None:
    alphabet = alphabet_of(counts)[::-1]
    assert list(merges(counts, "ids", alphabet)) == list(char_merges(counts, "ids", alphabet))


def test_of_equally_frequent_pairs_the_greatest_strings_merge_first() -> None:
    # "a</w>" comes before "ab</w>", since "<" comes before "b".
    counts = {"xa": 2, "xab": 2, "xb": 2}
    assert list(merges(counts)) == [("x", "b</w>"), ("x", "a</w>"), ("x", "a"), ("xa", "b</w>")]


def test_words_end_at_spaces_and_at_the_ends_of_lines() -> None:
    counts = count_words(["a  b\tc\r\nd\u2028e\n", " a"])
    assert counts == {"a": 2, "b\tc": 1, "d": 1, "e": 1}


@pytest.mark.needs("subword-nmt", "0.3")
@given(st.lists(st.text("abcd \n\u00e9", max_size=60), max_size=6))
def test_the_merges_are_those_of_subword_nmt(texts: list[str]) -> None:
    from subword_nmt.learn_bpe import learn_bpe

    counts = count_words(texts)
    codes = io.StringIO()
    if all(len(word) == 1 for word in counts):
        return  # it fails without a pair
    learn_bpe(io.StringIO("\n".join(texts)), codes, 200)
    expected = [tuple(line.split(" ")) for line in codes.getvalue().splitlines()[1:]]
    assert list(merges(counts)) == expected


@pytest.mark.needs("subword-nmt", "0.3")
def test_subword_nmt_merges_across_white_space_inside_a_symbol() -> None:
    """A known departure: after two merges it reads U+00A0 as an end of symbols."""
    from subword_nmt.learn_bpe import learn_bpe

    text = "bb\u00a0a\u00a0ab \u00a0aaaaa " * 2
    codes = io.StringIO()
    learn_bpe(io.StringIO(text), codes, 3)
    theirs = codes.getvalue().split("\n")[1:-1]
    ours = [f"{left} {right}" for left, right in islice(merges(count_words([text])), 3)]
    assert theirs[:2] == ours[:2] == ["\u00a0 a", "a a"]
    assert (theirs[2], ours[2]) == ("\u00a0aa aa", "\u00a0a \u00a0a")
