r"""Patterns of Oniguruma, whose matches were measured in ``tokenizers`` 0.23.3."""

from __future__ import annotations

import warnings
from itertools import chain
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.unicode import versions
from tokharness_tokenizers.reference.oniguruma import translate
from tokharness_tokenizers.reference.oniguruma.classes import POSIX
from tokharness_tokenizers.reference.searching import find_pattern, pieces_of_pattern

needs_tokenizers = pytest.mark.needs("tokenizers", "0.23")
UNICODE = "16.0"


def matches(pattern: str, text: str) -> list[str]:
    return [text[start:end] for start, end in find_pattern(pattern, UNICODE)(text)]


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("a{1,2}|b", "aab", ["aa", "b"]),
        ("a{,2}|b", "aab", ["aa", ""]),
        ("a{2}+", "aaaaab", ["aaaa"]),
        ("(?:a{2}?)b", "aabb", ["aab", "b"]),
        ("a{|a{x}|a{,}", "a{ a{x} a{,}", ["a{", "a{", "a{"]),
        ("a{\u0663}", "aaa a{\u0663}", ["a{\u0663}"]),
        ("a++a|b", "aab", ["b"]),
        ("a]", "a]", ["a]"]),
        ("[]a]+", "]a]", ["]a]"]),
        ("[-a]+", "-a-", ["-a-"]),
        ("[a-]+", "-a-", ["-a-"]),
        ("[a-c-e]+", "abcde-", ["abc", "e-"]),
        ("[a-d&&[^b]]+", "abcd", ["a", "cd"]),
        ("[^a-d&&[b]]+", "abc", ["a", "c"]),
        ("[a&&b]|c", "abc", ["c"]),
        ("[a[^b]]+", "abc", ["a", "c"]),
        ("[a||b]+", "a|b", ["a|b"]),
        (r"[+\--a]+", "+-A.", ["+-A."]),
        ("[a~~b]+", "a~b", ["a~b"]),
        ("[[:alpha:]]+", "ab1", ["ab"]),
        ("[[:^alpha:]]+", "ab1", ["1"]),
        ("[:alpha:]+", "alph:b", ["alph:"]),
        (r"[\b]", "a\b", ["\b"]),
        (r"\x41\x{42}\u0043\060\o{105}", "ABC0E", ["ABC0E"]),
        (r"\h+", "0aFg", ["0aF"]),
        (r"\H+", "0aFg", ["g"]),
        (r"\R", "a\r\n\n\x0b\x85\u2028", ["\r\n", "\n", "\x0b", "\x85", "\u2028"]),
        (r"\N|\O", "a\n", ["a", "\n"]),
        (r"\A.|.\z", "abc", ["a", "c"]),
        (r".\Z", "ab\n", ["b"]),
        (r"^.|.$", "ab\ncd", ["a", "b", "c", "d"]),
        (r"\p{^L}|\P{^N}", "a1-", ["1", "-"]),
        (r"\p{Upper-case letter}\p{lower}", "aAb", ["Ab"]),
        (r"\p{hani}+", "a\u4e00\u3042", ["\u4e00"]),
        (r"\p{Punct}|[[:punct:]]", "a$.", ["$", "."]),
        ("(?m).+", "a\nb", ["a\nb"]),
        ("(?x) a b # c\n c", "abc", ["abc"]),
        ("(?x-x: a )", " a ", [" a "]),
        ("a(?i)b|c", "aBC", ["aB"]),
        ("(?#a)b(?#c)+", "abb", ["bb"]),
        (r"(?<n>a|b)(c)\k<n>", "aca bcb acb", ["aca", "bcb"]),
        (r"(a|b)\1", "aabbab", ["aa", "bb"]),
        ("(?<=a|bc)d", "adbcd", ["d", "d"]),
        ("(?<=ab*)c", "cabbc", ["c"]),
        ("(?i)'s", "'s'S'\u017f", ["'s", "'S", "'\u017f"]),
        (r"(?i)a[^[^^\p{Lu}]]?", "aY", ["a"]),
        (r"(?i)[[^k]&&[k-l]]", "kKlL", ["l", "L"]),
        ("(?i)[^k]", "kK\u212al", ["l"]),
        (r"(?i)\p{Lu}", "aA", ["A"]),
        ("(?i)s(?i:s)|s{2}t", "\u1e9eSs", ["Ss"]),
        (r"(?i)\x53", "s", ["s"]),
        ("(?i:[A-C]+)", "abC", ["abC"]),
        ("(?i)i", "iI\u0130\u0131", ["i", "I"]),
    ],
)
def test_a_pattern_finds_what_oniguruma_finds(pattern: str, text: str, found: list[str]) -> None:
    assert matches(pattern, text) == found


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("*a", "a repeat '\\*' of nothing at position 0"),
        ("a|{2}", "a repeat of nothing at position 2"),
        ("^*", "a repeat of an anchor at position 1"),
        ("(?=a)+", "a repeat of an anchor at position 5"),
        ("(?:^|a)?", "a repeat of an anchor at position 7"),
        ("(a", "an unmatched '\\(' at position 0"),
        ("a)", "an unmatched '\\)' at position 1"),
        ("[a", "an end within a class at position 2"),
        ("[b-a]", "an empty range"),
        (r"[\w-a]", "a range that begins with a class"),
        (r"[a-\d]", "a range that ends with a class"),
        ("[[:foo:]]", "the unknown POSIX class 'foo'"),
        (r"\p{Script=Han}", "the unknown or untranslated property 'Script=Han'"),
        (r"\p{In_Basic_Latin}", "the unknown or untranslated property"),
        ("\\p{Gree\u212a}", "the unknown or untranslated property"),
        (r"\x41\x{42}\u0043\104", "an octal number without a leading 0 at position 16"),
        (r"\p{Seal}", "the unknown or untranslated property 'Seal'"),
        (r"\1", "a reference to a group that is not complete before"),
        (r"(?<n>a)(b)\1", "a back reference by number in a pattern with names"),
        (r"(?<n>a)\g<n>", r"the escape \\\\g"),
        (r"\X", r"the escape \\\\X"),
        (r"a\Kb", r"the escape \\\\K"),
        (r"\xE9", "the raw byte or code point 0xe9"),
        (r"\ud800", "the raw byte or code point 0xd800"),
        (r"\pL", r"the escape \\\\p"),
        ("(?~ab)", "this kind of group at position 0"),
        ("(?(1)a|b)", "this kind of group"),
        ("(?s).", "this kind of group"),
        ("(*FAIL)", "a callout"),
        ("(?:a*)*", "a repeat of what may be empty"),
        ("a+?+", "a repeat of a repeat"),
        (r"\B(.*)a", "'.\\*' after an anchor, where Oniguruma misses matches"),
        ("a{3,2}", "a repeat with its numbers exchanged"),
        ("(?i)strasse", "literals that fold to several characters at position 4"),
        ("(?i)s(?:s)", "literals that fold to several characters at position 4"),
        ("(?i)st{1}", "literals that fold to several characters at position 4"),
        (r"(?i)\u0073s", "literals that fold to several characters at position 4"),
        ("(?i)\u00df", "literals that fold to several characters"),
        (r"(?i)[\w]", "a class with characters that fold to several ones"),
        ("(?<=(a))b", "a capturing group in a look-behind"),
        ("(?<=(?=a))b", "a look-around in a look-behind"),
        (r"(?<=\b|ba?)a", "a look-behind with an anchor and a repeat"),
        (r"(?<=a\z)b", r"\\z in a look-behind"),
        ("[a&&]", "an intersection with nothing"),
    ],
)
def test_what_has_no_translation_is_named(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace(r"\\\\", r"\\")):
        translate(pattern, version=UNICODE)


def test_word_characters_outside_of_brackets_have_the_numbers_of_latin_1() -> None:
    text = "\xb2\xb3\xb9\xbc\xbd\xbe"
    assert matches(r"\w+", text) == [text]
    assert matches(r"[\w]+", text) == []
    assert matches(r"\bx", "\xb2x") == []


def test_a_class_and_its_complement_are_any_character() -> None:
    assert regex.findall(r"[^\S\s]", "a b"), "regex has no such defect any more"
    assert matches(r"[^\S\s]", "a b") == []
    assert matches(r"[^[\S]\s]|b", "a b") == ["b"]


def test_case_is_that_of_the_version() -> None:
    # U+A7CB and its small letter U+0264: a pair since 16.0
    assert "\\ua7cb" in translate("(?i)\u0264", version="16.0").expression
    assert "\\ua7cb" not in translate("(?i)\u0264", version="15.0").expression


def test_posix_punctuation_had_no_symbols_in_old_versions() -> None:
    assert translate("[[:punct:]]", version="14.0").expression == r"\p{P}"
    with pytest.raises(ValueError, match=r"\[\[:punct:\]\] of Unicode 15"):
        translate("[[:punct:]]", version="15.0")


@needs_tokenizers
@pytest.mark.parametrize(
    "pattern",
    [
        r"[\w&&[^\p{Han}]]",
        *(pytest.param(p, marks=pytest.mark.slow) for p in (r"\w", r"[\p{Han}\p{Lower}]")),
        *(pytest.param(f"[[:{name}:]]", marks=pytest.mark.slow) for name in POSIX),
    ],
)
def test_a_class_has_the_characters_that_it_has_in_the_library(pattern: str) -> None:
    from tokenizers import Regex
    from tokenizers.normalizers import Replace

    every = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))
    spans = find_pattern(f"(?:{pattern})+", UNICODE)(every)
    ends = [0, *chain.from_iterable(spans), len(every)]
    rest = "".join(every[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True))
    assert rest == Replace(Regex(pattern), "").normalize_str(every)


JOINED = [
    "s",
    "(?:s)",
    "(s)",
    "(?>s)",
    "(?i:s)",
    "s{1}",
    "(?:s{1})",
    r"\x73",
    "[s]",
    "s{2}",
    "(?:)s",
]


@needs_tokenizers
@pytest.mark.parametrize("first", JOINED)
def test_literals_are_joined_where_the_library_joins_them(first: str) -> None:
    text = "x\xdfx \u1e9e ss"
    for second in JOINED:
        pattern = f"(?i){first}{second}"
        pieces = [piece for piece, _ in _library(pattern).pre_tokenize_str(text)]
        if "\xdf" in pieces:
            with pytest.raises(ValueError, match="literals that fold to several characters"):
                translate(pattern, version=UNICODE)
        else:
            assert pieces_of_pattern(pattern, UNICODE)(text) == pieces, pattern


_ATOMS = st.sampled_from(
    [
        *"abA1 ",
        r"\w",
        r"\s",
        r"\d",
        ".",
        "[a-c]",
        "[^a\\s]",
        "[[:alpha:]&&[^b]]",
        r"\p{L}",
        r"\p{^N}",
        r"\R",
        r"\n",
        "\u00e9",
        "'s",
    ]
)
_ANCHORS = st.sampled_from(["^", "$", r"\b", r"\B", r"\A", r"\z", r"\Z"])
_QUANTIFIERS = st.sampled_from(["", "", "*", "+", "?", "+?", "*+", "{2}", "{1,2}", "{,2}?", "{2}+"])
_GROUPS = st.sampled_from(["(?:%s)", "(%s)", "(?>%s)", "(?i:%s)", "(?m:%s)", "(?=%s)", "(?<!%s)"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = st.builds(lambda form, text: form.replace("%s", text), _GROUPS, inner)
    repeated = st.builds(str.__add__, st.one_of(_ATOMS, group), _QUANTIFIERS)
    sequence = st.lists(st.one_of(repeated, _ANCHORS), min_size=1, max_size=3).map("".join)
    return st.lists(sequence, min_size=1, max_size=2).map("|".join)


PATTERNS = st.recursive(_ATOMS, _grown, max_leaves=6)
TEXTS = st.text(alphabet="abA1 '\n\rs\u00e9\u0301\u00b2\u4e00\U0001faea", max_size=12)


@pytest.mark.slow
@needs_tokenizers
@settings(max_examples=100)
@given(pattern=PATTERNS, texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_a_pattern_splits_as_in_the_library(pattern: str, texts: list[str]) -> None:
    check_with_library(pattern, texts)


@pytest.mark.slow
@needs_tokenizers
@settings(max_examples=1500)
@given(pattern=PATTERNS, texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_many_patterns_split_as_in_the_library(pattern: str, texts: list[str]) -> None:
    check_with_library(pattern, texts)


def check_with_library(pattern: str, texts: list[str]) -> None:
    library = _library(pattern)
    try:
        pieces = pieces_of_pattern(pattern, UNICODE)
    except ValueError:
        return
    if library is None:  # it refuses more look-behinds
        assert "(?<" in pattern
        return
    for text in texts:
        assert pieces(text) == [piece for piece, _ in library.pre_tokenize_str(text)]


def _library(pattern: str) -> Any:
    from tokenizers import Regex
    from tokenizers.pre_tokenizers import Split

    try:
        return Split(Regex(pattern), "isolated")
    except Exception:  # the library raises no other class
        return None


@given(pattern=st.text(alphabet=r"ab\[](){}|*+?^$-&:<=!>#.0123xuwpPRik'" + "\n\u00df", max_size=12))
def test_every_pattern_translates_or_raises_value_error(pattern: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            find = find_pattern(pattern, versions.VERSIONS[-2])
        except ValueError:
            return
    assert find("") == []
