from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.unicode import versions
from tokharness_tokenizers.reference.oniguruma import translate
from tokharness_tokenizers.reference.searching import (
    find_pattern,
    find_text,
    pieces_of_pattern,
    pieces_of_text,
    substitute_pattern,
    substitute_text,
)

needs_tokenizers = pytest.mark.needs("tokenizers", "0.23")
UNICODE = "16.0"

_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]"
PATTERNS = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "llama3": rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{_REST}",
    "kimi": rf"[\p{{Han}}]+|[{_UPPER}]*[{_LOWER}]+{_CONTRACTIONS}?|\p{{N}}{{1,3}}|{_REST}",
    "deepseek_cjk": "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    "deepseek": r"[!-/:-@\[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "all of a plane": "[\u0800-\u4e00\uac00-\uffff]+",
    "lines": r"(?<=\n)(?!\n)",
    "digits": r"\d{1,3}(?=(?:\d{3})*\b)",
    "spaces": r"\s+$|\p{Zs}{2,}",
}
EACH_PATTERN = pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)

_new = versions.changed(UNICODE, versions.REGEX_VERSION)
_words = [
    "don't",
    "I'LL",
    "'\u017f",
    " the",
    "1234567",
    "\u4e00\u4e8c",
    "\u304b",
    "e\u0301",
    "\r\n",
]
TEXTS = st.lists(
    st.one_of(
        st.sampled_from([*_words, " ", "\n", "  ", "...", "/", "\u0295", "\xa0", "\xb2", "\u200d"]),
        st.sampled_from(_new).map(chr),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
).map("".join)


@EACH_PATTERN
@settings(max_examples=30)
@given(text=TEXTS)
def test_the_pieces_are_the_matches_and_the_text_between_them(pattern: str, text: str) -> None:
    ends = {0, len(text)}
    for span in find_pattern(pattern, UNICODE)(text):
        ends.update(span)
    places = sorted(ends)
    expected = [text[start:end] for start, end in pairwise(places)]
    assert pieces_of_pattern(pattern, UNICODE)(text) == expected


@EACH_PATTERN
@settings(max_examples=30)
@given(text=TEXTS)
def test_matches_are_replaced_by_the_content_as_it_is(pattern: str, text: str) -> None:
    content = r"\1<&>"
    parts, done = [], 0
    for start, end in find_pattern(pattern, UNICODE)(text):
        parts += [text[done:start], content]
        done = end
    expected = "".join((*parts, text[done:]))
    assert substitute_pattern(pattern, content, UNICODE)(text) == expected


@needs_tokenizers
@EACH_PATTERN
@settings(max_examples=30)
@given(text=TEXTS)
def test_patterns_of_real_tokenizers_split_as_in_the_library(pattern: str, text: str) -> None:
    check_with_library(pattern, text)


@pytest.mark.slow
@needs_tokenizers
@EACH_PATTERN
@settings(max_examples=500)
@given(text=TEXTS)
def test_patterns_split_many_texts_as_in_the_library(pattern: str, text: str) -> None:
    check_with_library(pattern, text)


def check_with_library(pattern: str, text: str) -> None:
    from tokenizers import Regex
    from tokenizers.decoders import Replace
    from tokenizers.pre_tokenizers import Split

    pieces = [piece for piece, _ in Split(Regex(pattern), "isolated").pre_tokenize_str(text)]
    assert pieces_of_pattern(pattern, UNICODE)(text) == pieces
    replaced = Replace(Regex(pattern), "<>").decode([text])
    assert substitute_pattern(pattern, "<>", UNICODE)(text) == replaced


@pytest.mark.parametrize(
    ("pattern", "text", "spans"),
    [
        ("", "", []),
        ("", "ab", [(0, 0), (1, 1), (2, 2)]),
        ("|a", "ab", [(0, 0), (1, 1), (2, 2)]),
        ("a*", "baac", [(0, 0), (1, 3), (4, 4)]),
        ("a*?", "aa", [(0, 0), (1, 1), (2, 2)]),
        (r"\b", "ab c", [(0, 0), (2, 2), (3, 3), (4, 4)]),
        ("b|(?=a)", "ba a", [(0, 1), (3, 3)]),
        ("^", "a\nb\n", [(0, 0), (2, 2)]),
        ("$", "a\nb\n", [(1, 1), (3, 3), (4, 4)]),
        ("$", "a\n\u00e9\n", [(1, 1), (3, 3), (4, 4)]),
    ],
)
def test_empty_matches_are_those_of_the_crate(
    pattern: str, text: str, spans: list[tuple[int, int]]
) -> None:
    assert find_pattern(pattern)(text) == spans


def test_an_empty_literal_is_an_empty_pattern() -> None:
    assert find_text("")("ab") == [(0, 0), (1, 1), (2, 2)]
    assert substitute_text("", "-")("ab") == "-a-b-"
    assert substitute_text("", "-")("") == ""
    assert pieces_of_text("")("ab") == ["a", "b"]


@given(literal=st.text(alphabet="ab.", min_size=1, max_size=2), text=st.text(alphabet="ab.\u00e9"))
def test_a_literal_is_found_as_its_escaped_pattern(literal: str, text: str) -> None:
    pattern = literal.replace(".", r"\.")
    assert find_text(literal)(text) == find_pattern(pattern)(text)
    assert substitute_text(literal, "-")(text) == substitute_pattern(pattern, "-")(text)
    assert pieces_of_text(literal)(text) == pieces_of_pattern(pattern)(text)


def test_new_letters_are_no_letters_in_an_old_version() -> None:
    letter = "\U00016ea0"  # Beria Erfe, new in 17.0
    assert find_pattern(r"\p{L}+", "17.0")(f"a{letter}") == [(0, 2)]
    assert find_pattern(r"\p{L}+", "16.0")(f"a{letter}") == [(0, 1)]
    assert pieces_of_pattern(r"\p{L}+", "16.0")(f"a{letter}b") == ["a", letter, "b"]
    assert substitute_pattern(r"\p{L}+", "-", "16.0")(f"a{letter}b") == f"-{letter}-"


def test_a_literal_that_is_new_is_found_in_an_old_version_too() -> None:
    letter = "\U00016ea0"
    assert not translate(letter).has_standins("16.0")
    assert find_pattern(letter, "16.0")(f"a{letter}\U000c8000") == [(1, 2)]
    assert find_pattern(rf"{letter}|\p{{L}}", "16.0")(f"a{letter}\U00016ea1") == [(0, 1), (1, 2)]


@pytest.mark.slow
def test_back_references_compare_new_characters_as_they_are() -> None:
    assert find_pattern(r"(.)\1", "16.0")("\U00016ea0\U00016ea1\U00016ea1") == [(1, 3)]


@pytest.mark.parametrize("unicode_version", [None, *versions.VERSIONS[-4:]])
def test_an_unchanged_text_has_the_same_pieces_in_each_version(unicode_version: str | None) -> None:
    text = "It's 12345 \u00e9t\u00e9s, \u4e00\u4e8c!\n\n  x"
    expected = ["It", "'s", " ", "123", "45", " \u00e9t\u00e9s", ",", " \u4e00\u4e8c", "!\n\n"]
    assert pieces_of_pattern(PATTERNS["llama3"], unicode_version)(text) == [*expected, " ", " x"]


def test_unknown_versions_are_errors() -> None:
    with pytest.raises(ValueError, match="unknown Unicode version"):
        find_pattern("a", "5.0")
