"""

Other borders between pre-tokens, by the classes of the characters that meet.
"""

from __future__ import annotations

import pytest
import regex

from tokharness_tokenizers.reference.pattern_alterations import (
    MOST_WORK,
    altered_borders,
    other_patterns,
    pattern_alterations,
    patterns_for_digits,
    patterns_for_joiners,
)
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K

LONG = "a" * (MOST_WORK + 1)

DECIMAL = "numbers that are no decimal digits are letters, as in \\w of Python"
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
PATTERNS = {"r50k": R50K, "cl100k": CL100K, "o200k": O200K, "llama3": LLAMA3, "gpt2": GPT2}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_each_alteration_is_named_once_and_is_another_pattern(pattern: str) -> None:
    rows = [*pattern_alterations(pattern), *other_patterns(pattern)]
    assert len({what for what, _ in rows}) == len(rows)
    assert pattern not in {altered for _, altered in rows}
    for _, altered in rows:
        regex.compile(altered, regex.VERSION0)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_an_altered_pattern_leaves_out_no_text(pattern: str) -> None:
    text = "It's\u2019S 12345\u0661 caf\u00e9 e\u0301\u4e2d\u3042  a\r\n\n/b!!/\u00a0\x85 Ab\u01c5"
    for what, altered in (*pattern_alterations(pattern), *other_patterns(pattern)):
        found = [match.group() for match in regex.finditer(altered, text, regex.VERSION0)]
        assert "".join(found) == text, what


@pytest.mark.parametrize(
    ("pattern", "what", "text", "expected"),
    [
        (O200K, "the pattern has case", "a'S", ["a", "'S"]),
        (CL100K, "contractions are not split", "a'sb", ["a", "'sb"]),
        (R50K, "contractions have no case", "'S'", ["'S", "'"]),
        (R50K, "'ll is no contraction", "a'll'm", ["a", "'", "ll", "'m"]),
        (CL100K, "'s is no contraction", "'sb'Re", ["'sb", "'Re"]),
        (O200K, "'ve is no contraction", "a'veb's", ["a", "'veb's"]),
        (R50K, "U+2019 is an apostrophe", "a\u2019s!", ["a", "\u2019s", "!"]),
        (GPT2, "contractions are not split", "a's", ["a", "'", "s"]),
        (GPT2, "contractions have no case", "a'S", ["a", "'S"]),
        (CL100K, "only a space joins the word after it", "(a", ["(", "a"]),
        (R50K, "a space does not join the word after it", " a", [" ", "a"]),
        (O200K, "each capital begins a word", "ABc", ["A", "Bc"]),
        (O200K, "capitals begin no word", "aBc", ["aBc"]),
        (O200K, "marks are not part of words", "e\u0301", ["e", "\u0301"]),
        (LLAMA3, "marks are part of words", "e\u0301a", ["e\u0301a"]),
        (O200K, "Han is cut from other letters", "\u4e2d\u3042", ["\u4e2d", "\u3042"]),
        (O200K, "numbers are split into fours", "12345", ["1234", "5"]),
        (O200K, "numbers are split into threes from the right", "12345", ["12", "345"]),
        (
            O200K,
            "digits that are not ASCII are split",
            "12\u0661\u0661",
            ["12", "\u0661", "\u0661"],
        ),
        (GPT2, "numbers are split into threes", " 1234", [" 123", "4"]),
        (O200K, "a slash does not join the punctuation before it", "!\n/", ["!\n", "/"]),
        (CL100K, "a slash joins the punctuation before it", "!\n/", ["!\n/"]),
        (CL100K, "line ends are white space", "\n \na", ["\n ", "\n", "a"]),
        (CL100K, "white space between line ends is no line end", "\n \na", ["\n", " \n", "a"]),
        (CL100K, "white space is cut behind each line end", " \n\na", [" \n", "\n", "a"]),
        (O200K, "U+000D is no line end", "\ra", ["\ra"]),
        (O200K, "U+000D is no line end in white space", "\r\ra", ["\r", "\r", "a"]),
        (O200K, "pattern without look-ahead", "  a", ["  ", "a"]),
        (O200K, "a low line does not join the word after it", "_a.b", ["_", "a", ".b"]),
        (CL100K, "white space is JavaScript's", "  \ufeff!", ["  ", "\ufeff", "!"]),
        (R50K, "white space is ASCII", "!\u00a0!", ["!\u00a0!"]),
        (R50K, "white space is ASCII without U+000B, as in Go", "!\x0b!", ["!\x0b!"]),
        (R50K, "white space is Python's, with U+001C to U+001F", "!\x1f!", ["!", "\x1f", "!"]),
        (O200K, "numbers are decimal digits", "1\u00bd!", ["1", "\u00bd!"]),
        (CL100K, DECIMAL, "a\u00bd1!", ["a\u00bd", "1", "!"]),
        (O200K, "letters are ASCII", "a\u00e9", ["a", "\u00e9"]),
        (O200K, "numbers are ASCII", "1\u0661!", ["1", "\u0661!"]),
    ],
)
def test_a_rule_is_that_of_another_pattern(
    pattern: str, what: str, text: str, expected: list[str]
) -> None:
    altered = dict(pattern_alterations(pattern))[what]
    found = [match.group() for match in regex.finditer(altered, text, regex.VERSION0)]
    assert found == expected
    plain = [match.group() for match in regex.finditer(pattern, text, regex.VERSION0)]
    assert plain != expected


def test_the_digits_of_one_script_are_split_and_the_others_are_not() -> None:
    ((what, pattern),) = patterns_for_digits(O200K, "a1\u0661")
    assert what == "digits of U+0660 to U+0669 are split"
    text = "\u0660\u0669\u096612345\u0661"
    pieces = ["\u0660", "\u0669", "\u096612", "345", "\u0661"]
    assert regex.findall(pattern, text, regex.VERSION0) == pieces


def test_one_character_does_not_join_the_word_after_it() -> None:
    ((what, pattern),) = patterns_for_joiners(O200K, "a.b .")
    assert what == "U+002E FULL STOP does not join the word after it"
    assert regex.findall(pattern, "a.b!c", regex.VERSION0) == ["a", ".", "b", "!c"]


@pytest.mark.parametrize(("pattern", "text"), [(O200K, "a12"), (O200K, "\u00bd"), ("a+", "\u0661")])
def test_no_digits_are_split_in_a_text_or_pattern_without_them(pattern: str, text: str) -> None:
    assert not list(patterns_for_digits(pattern, text))


@pytest.mark.parametrize(
    ("pieces", "what", "altered"),
    [
        (["x", "1"], "no border between lowercase letters and ASCII digits", ["x1"]),
        (["x", "1"], "no border between letters and numbers", ["x1"]),
        (["\n", " ", "a"], "no border between line ends and U+0020 SPACE", ["\n ", "a"]),
        (["aB1"], "a border between lowercase letters and uppercase letters", ["a", "B1"]),
        (["12", "\u0663\u0664"], "a border between numbers and numbers", [*"12\u0663\u0664"]),
        (
            ["12", "\u0663\u0664"],
            "a border between digits of U+0660 to U+0669 and numbers",
            ["12", "\u0663", "\u0664"],
        ),
        (["a'", "s_"], "a border between letters and other characters", ["a", "'", "s", "_"]),
    ],
)
def test_classes_that_meet_are_joined_or_cut(pieces, what, altered):
    assert dict(altered_borders(pieces))[what] == altered


def test_a_further_contraction_is_cut_off():
    altered = dict(altered_borders(["a", "'EMa", "'em"]))
    assert altered["U+0027 APOSTROPHE and 'em' are a contraction"] == ["a", "'EM", "a", "'em"]
    long = dict(altered_borders([LONG, "\uff07LLa", "\uff07lla"]))
    what = "U+FF07 FULLWIDTH APOSTROPHE and 'LL' are a contraction, in this case"
    assert long[what] == [LONG, "\uff07LL", "a", "\uff07lla"]


@pytest.mark.parametrize(
    ("pieces", "what", "sizes"),
    [
        (["a" * 130, " " * 70], "pre-tokens are cut after 64 characters", [64, 64, 2, 64, 6]),
        (["a" * 130, " " * 70], "runs of white space are cut after 64 characters", [130, 64, 6]),
        (["\xe9" * 40], "pre-tokens are cut after 64 bytes", [32, 8]),
    ],
)
def test_a_usual_limit_cuts_long_words(pieces, what, sizes):
    assert list(map(len, dict(altered_borders(pieces))[what])) == sizes


def test_a_limit_of_bytes_cuts_no_character():
    whats = [what for what, _ in altered_borders(["\u4e2d" * 30])]
    assert "pre-tokens are cut after 64 bytes" not in whats


def test_the_narrowest_classes_come_first():
    first, *_, last = [what for what, _ in altered_borders(["a", "1"])]
    assert first == "no border between lowercase letters and ASCII digits"
    assert last == "no border between letters and numbers"


def test_a_long_text_with_few_different_neighbours_has_borders():
    altered = dict(altered_borders(["a" * 100, "1" * 100]))
    assert altered["no border between letters and numbers"] == ["a" * 100 + "1" * 100]


def test_digits_of_new_scripts_have_a_class():
    whats = [what for what, _ in altered_borders(["\U00011f50\U00011f51"])]
    assert "a border between digits of U+11F50 to U+11F59 and numbers" in whats


@pytest.mark.parametrize("pieces", [[], [""], ["a"], ["a"] * (MOST_WORK + 1)])
def test_a_text_without_borders_or_a_long_one_has_no_alteration(pieces):
    assert list(altered_borders(pieces)) == []
