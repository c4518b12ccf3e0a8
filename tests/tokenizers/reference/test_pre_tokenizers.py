from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.byte_characters import bytes_of, characters_of
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import (
    PREPEND_SCHEMES,
    ByteLevel,
    Metaspace,
)
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import (
    Bert,
    Digits,
    Punctuation,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
    script_in,
)
from tokharness_tokenizers.reference.pre_tokenizers.sequence import (
    BEHAVIORS,
    CharDelimiterSplit,
    FixedLength,
    Sequence,
    Split,
    depends_on_start,
    split_spans,
)
from tokharness_tokenizers.reference.searching import (
    find_pattern,
    find_text,
    pieces_of_pattern,
    pieces_of_text,
)

BOOLS = (False, True)
COUNTDOWN = "the-final--countdown"
TABLE = {
    "Removed": ["the", "final", "countdown"],
    "Isolated": ["the", "-", "final", "-", "-", "countdown"],
    "MergedWithPrevious": ["the-", "final-", "-", "countdown"],
    "MergedWithNext": ["the", "-final", "-", "-countdown"],
    "Contiguous": ["the", "-", "final", "--", "countdown"],
}
CUTTERS = [
    *(Punctuation(behavior, "8.0") for behavior in BEHAVIORS),
    *(Digits(individual, "17.0") for individual in BOOLS),
    Bert("8.0"),
    Whitespace("16.0"),
    WhitespaceSplit(),
    UnicodeScripts("9.0"),
    CharDelimiterSplit("-"),
    FixedLength(3),
    *(
        Split(find_pattern(r"\s+|a*"), behavior, invert)
        for behavior in BEHAVIORS
        for invert in BOOLS
    ),
    Split(find_pattern(r"\p{L}+"), isolated=pieces_of_pattern(r"\p{L}+")),
]
PRE_TOKENIZERS = [
    *CUTTERS,
    *(ByteLevel(prefix, use_regex, "16.0") for prefix in BOOLS for use_regex in BOOLS),
    *(Metaspace("_", scheme, split) for scheme in PREPEND_SCHEMES for split in BOOLS),
    Sequence(()),
    Sequence((WhitespaceSplit(), Metaspace("_", "first"))),
    Sequence((Metaspace(), Punctuation("Isolated"), Digits(individual_digits=True))),
    Sequence((Split(find_text("a"), "Removed"), Sequence((Bert(), Metaspace("_", "first"))))),
    Sequence((FixedLength(2), ByteLevel())),
]


def name_of(component):
    return type(component).__name__


TEXTS = st.text(
    st.sampled_from("aB'-_. 1\xbd\t\x1c\x85\u0301\u0589\u2167\u3042\u30fc\u4e00\U0001f600")
)


@pytest.mark.slow
@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS, ids=name_of)
@settings(max_examples=40)
@given(text=TEXTS | st.text(st.characters(exclude_categories=["Cs"])), at_start=st.booleans())
def test_aligned_pieces_have_the_texts_of_the_pieces(pre_tokenizer, text, at_start):
    aligned = pre_tokenizer.split(Aligned.of(text), at_start=at_start)

    assert [part.text for part in aligned] == pre_tokenizer.pieces(text, at_start=at_start)
    assert all(len(part.spans) == len(part.text) > 0 for part in aligned)
    plain = pre_tokenizer.split(Aligned(text), at_start=at_start)
    assert plain == [Aligned(part.text) for part in aligned]


@pytest.mark.parametrize("cutter", CUTTERS, ids=name_of)
@settings(max_examples=40)
@given(text=TEXTS)
def test_spans_of_a_cut_are_places_of_its_pieces(cutter, text):
    for part in cutter.split(Aligned.of(text), at_start=True):
        start, end = part.span(0, len(part.text))
        assert text[start:end] == part.text


@pytest.mark.parametrize("behavior", BEHAVIORS)
def test_behaviors_split_as_their_table_says(behavior):
    by_text = Split(find_text("-"), behavior)

    assert by_text.words(COUNTDOWN) == TABLE[behavior]
    assert Punctuation(behavior).words(COUNTDOWN) == TABLE[behavior]
    assert split_spans(0, [], behavior) == []


def test_inverted_behaviors_take_the_text_between_matches_for_matches():
    assert Split(find_text("-"), "Removed", invert=True).words(COUNTDOWN) == ["-", "-", "-"]
    joined = Split(find_text("-"), "MergedWithPrevious", invert=True).words(COUNTDOWN)
    assert joined == ["the", "-final", "-", "-countdown"]


def test_an_empty_match_splits_a_text():
    assert Split(find_text("")).words("abc") == ["a", "b", "c"]
    assert Split(find_text(""), isolated=pieces_of_text("")).words("abc") == ["a", "b", "c"]
    assert split_spans(4, [(2, 2)], "Removed") == [(0, 2), (2, 4)]
    assert split_spans(4, [(2, 2)], "Contiguous") == [(0, 2), (2, 4)]


@pytest.mark.parametrize(
    ("pre_tokenizer", "text", "pieces"),
    [
        (Whitespace(), "it's a\xb2 \u24b6!?", ["it", "'", "s", "a", "\xb2", "\u24b6", "!?"]),
        (WhitespaceSplit(), " a\x1cb\x85c\u200bd\u3000", ["a\x1cb", "c\u200bd"]),
        (Bert(), "don't\u2026 $5", ["don", "'", "t", "\u2026", "$", "5"]),
        (Digits(), "a12\xbdb", ["a", "12\xbd", "b"]),
        (Digits(individual_digits=True), "a12", ["a", "1", "2"]),
        (CharDelimiterSplit("|"), "|a||b|", ["a", "b"]),
        (FixedLength(2), "abcde", ["ab", "cd", "e"]),
        (UnicodeScripts(), "  a \u4e00\u3042\u30fc1", ["a ", "\u4e00\u3042\u30fc", "1"]),
        (UnicodeScripts(), "  ", []),
        (UnicodeScripts(), " ab 1!", ["ab ", "1!"]),
        (Metaspace(), "a b  c", ["\u2581a", "\u2581b", "\u2581", "\u2581c"]),
        (Metaspace("_", split_at_replacement=False), "a b", ["_a_b"]),
        (Metaspace("_", "never"), "a_b", ["a", "_b"]),
        (Metaspace(), "", []),
        (ByteLevel(), "it's \xe9", ["\u0120it", "'s", "\u0120\xc3\xa9"]),
        (ByteLevel(add_prefix_space=False, use_regex=False), "a b", ["a\u0120b"]),
        (ByteLevel(), "", []),
        (Sequence((WhitespaceSplit(), Punctuation())), "a, b", ["a", ",", "b"]),
        (Sequence(()), "a b", ["a b"]),
        (Sequence(()), "", []),
    ],
)  # fmt: skip
def test_pieces_of_examples(pre_tokenizer, text, pieces):
    assert pre_tokenizer.pieces(text, at_start=True) == pieces


def test_the_replacement_is_put_before_the_first_text_alone():
    first = Metaspace("_", "first")

    assert first.pieces("a", at_start=True) == ["_a"]
    assert first.pieces("a", at_start=False) == ["a"]
    assert depends_on_start(first)
    assert not depends_on_start(Metaspace())


def test_only_a_piece_with_nothing_before_it_is_at_the_start():
    words = Sequence((WhitespaceSplit(), Sequence((Metaspace("_", "first"),))))

    assert words.pieces("a b", at_start=True) == ["_a", "b"]
    assert words.pieces(" a b", at_start=True) == ["a", "b"]
    assert words.pieces("a b", at_start=False) == ["a", "b"]


def test_what_is_put_first_has_an_empty_span():
    for pre_tokenizer in (Metaspace(), ByteLevel()):
        (word,) = pre_tokenizer.split(Aligned.of("ab", start=5), at_start=False)
        assert word.spans == ((5, 5), (5, 6), (6, 7))


def test_pieces_of_a_sequence_have_the_spans_of_the_text_before_it_was_changed():
    text = Aligned("ab c", ((0, 2), (0, 2), (2, 3), (3, 4)))

    parts = Sequence((WhitespaceSplit(), FixedLength(1))).split(text, at_start=True)

    assert [part.spans for part in parts] == [((0, 2),), ((0, 2),), ((3, 4),)]


def test_classes_are_those_of_a_version():
    assert Bert("8.0").words("a\u2e43b") == ["a\u2e43b"]
    assert Bert("9.0").words("a\u2e43b") == ["a", "\u2e43", "b"]
    assert Digits(version="16.0").words("a\U00011de0") == ["a\U00011de0"]
    assert Digits(version="17.0").words("a\U00011de0") == ["a", "\U00011de0"]
    assert ByteLevel(version="16.0").words("a\U00016ea0") == [" a", "\U00016ea0"]
    assert ByteLevel(version="17.0").words("a\U00016ea0") == [" a\U00016ea0"]


@pytest.mark.parametrize(
    ("char", "version", "script"),
    [
        ("\u061c", "9.0", "Zyyy"),
        ("\u061c", "10.0", "Arab"),
        ("\u0953", "11.0", "Deva"),
        ("\u0954", "12.0", "Zinh"),
        ("\u0589", "12.1", "Zyyy"),
        ("\u0589", "18.0", "Armn"),
        ("\U00016fe2", "11.0", "Zzzz"),
        ("\U00016fe2", "13.0", "Zyyy"),
        ("\U00016fe2", "14.0", "Hani"),
        ("\ue000", "9.0", "Zzzz"),
    ],
)
def test_scripts_are_those_of_a_version(char, version, script):
    assert script_in(char, version) == script


def test_pieces_without_a_length_are_refused():
    with pytest.raises(ValueError, match="is 0"):
        FixedLength(0)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_characters_for_bytes_stand_for_the_text(text):
    assert bytes_of(characters_of(text)) == text.encode()
    assert len(characters_of(text)) == len(text.encode())


def test_a_token_that_is_not_of_bytes_stands_for_its_own():
    assert bytes_of("\u0120a") == b" a"
    assert bytes_of("\u0120a\u4e00") == "\u0120a\u4e00".encode()
