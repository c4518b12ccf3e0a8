"""Which texts may be pieces, and where words are cut."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.sentencepiece_training.words import (
    PieceRules,
    count_segments,
    segments,
)

WORDS = st.text("aB1.\u2585\x1f\0\u03b1\u0301\u65e5\u3042\u30fc\xe9", max_size=12).map(
    "\u2581{}".format
)


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "\u2581",
        "\u2581ab",
        "12.,",
        "e\u0301a",
        "\u0301\u03b1",
        "\u65e5\u3042\u30ab\u30fc",
        "\U0001f600!",
    ],
)
def test_a_text_of_one_script_may_be_a_piece(text: str) -> None:
    assert PieceRules().allow(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\u2581",
        "\u2581\u2581",
        "a1",
        "a.",
        "a\u03b1",
        "e\u0301\u03b1",
        "a\u2585",
        "a\x1f",
        "a\0",
        "a b",
        "a" * 17,
    ],
)
def test_other_texts_may_not(text: str) -> None:
    assert not PieceRules().allow(text)


def test_the_longest_piece_is_a_setting() -> None:
    assert PieceRules(3).allow("abc")
    assert not PieceRules(3).allow("abcd")


def test_scripts_are_those_of_unicode_9() -> None:
    assert PieceRules().allow("\u1c90!")  # Georgian since 11.0, Common before
    assert not PieceRules().allow("\u10d0!")


@given(WORDS)
def test_a_piece_never_crosses_a_cut(word: str) -> None:
    cuts = {0}
    for part in segments(word):
        cuts.add(max(cuts) + len(part))
    assert "".join(segments(word)) == word
    for start in range(len(word)):
        for stop in range(start + 1, len(word) + 1):
            if PieceRules().allow(word[start:stop]):
                assert cuts.isdisjoint(range(start + 1, stop))


@given(st.dictionaries(WORDS, st.integers(1, 3), max_size=6))
def test_words_counted_together_have_the_same_segments(words: dict[str, int]) -> None:
    expected: Counter[str] = Counter()
    for word, count in words.items():
        for part in segments(word):
            expected[part] += count
    assert count_segments(words) == expected
