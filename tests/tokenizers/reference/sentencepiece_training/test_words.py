"""The words of a corpus, as SentencePiece counts them.

Which texts may be pieces, and where words are cut.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.sentencepiece import normalizing
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes
from tokharness_tokenizers.reference.sentencepiece.model_file import NormalizerSpec
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
from tokharness_tokenizers.reference.sentencepiece_training import (
    PieceRules,
    Words,
    count_segments,
    count_words,
    segments,
)

IDENTITY = NormalizerSpec("identity")
NMT_NFKC = NormalizerSpec("nmt_nfkc", normalizing.charsmap())
FEW_RULES = NormalizerSpec(
    "few", charsmap_bytes({"\t": " ", "\x01": "", "\u200b": " ", "\ufb01": "fi", "<a": "\u00e9"})
)
RESERVED = ("<s>", "<unk>")


def count(*texts: str, coverage: float = 1.0, spec: NormalizerSpec = IDENTITY) -> Words:
    return count_words(texts, spec, coverage=coverage, reserved=RESERVED)


def test_words_before_others_and_at_line_ends_are_counted_apart() -> None:
    words = count("  a  b a\n\nb \n", "a")
    assert words.followed == {"\u2581a": 1, "\u2581b": 1}
    assert words.last == {"\u2581a": 2, "\u2581b": 1}
    assert words.counts() == {"\u2581a": 3, "\u2581b": 2}


def test_characters_are_sorted_by_frequency_and_the_rarest_are_unknown() -> None:
    words = count("aa aa b", coverage=0.875)
    assert (words.alphabet, words.unknown) == (("a", "\u2581"), 1)
    assert words.counts() == {"\u2581aa": 2, "\u2581\u2585": 1}


def test_reserved_texts_are_cut_out() -> None:
    assert count("a<s>b <\x01unk>", spec=NMT_NFKC).counts() == {
        "\u2581a\u2585b": 1,
        "\u2581\u2585": 1,
    }


def test_long_lines_and_those_with_the_mark_of_unknown_characters_are_left_out() -> None:
    words = count("a" * 4193 + "\nb\u2585\nc\n" + "d" * 4192)
    assert words.counts() == {"\u2581c": 1, "\u2581" + "d" * 4192: 1}
    assert words.skipped == 2


def test_line_ends_of_other_systems_are_characters_of_the_line() -> None:
    assert count("a\r\nb").counts() == {"\u2581a\r": 1, "\u2581b": 1}
    assert count("a\r\nb\x0cc", spec=NMT_NFKC).counts() == {
        "\u2581a": 1,
        "\u2581b": 1,
        "\u2581c": 1,
    }


def test_a_text_without_words_has_none() -> None:
    assert count(" \n\n", "") == Words({}, {}, ())


@given(
    st.lists(st.text("a\u00e9\u2581 \t\n\x0b\x1c\x01\u200b\ufb01<s>", max_size=20), max_size=3),
    st.sampled_from([IDENTITY, FEW_RULES]),
)
def test_words_are_those_of_the_normalized_lines(texts: list[str], spec: NormalizerSpec) -> None:
    normalizing = Normalizing.of(spec, space_is_suffix=False)
    followed: Counter[str] = Counter()
    last: Counter[str] = Counter()
    for line in "\n".join(texts).split("\n"):
        normalized = normalizing.normalize(line).replace("<s>", "\u2585")
        words = [f"\u2581{word}" for word in normalized.split("\u2581")[1:]]
        followed.update(words[:-1])
        last.update(words[-1:])
    words = count(*texts, spec=spec)
    assert (words.followed, words.last) == (followed, last)


@pytest.mark.parametrize("reserved", ["\u2581a", "a"])
def test_reserved_texts_are_those_of_the_normalized_text(reserved: str) -> None:
    words = count_words([" a b"], IDENTITY, coverage=1.0, reserved=[reserved])
    assert "a" not in words.alphabet
    assert "b" in words.alphabet


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
