"""Other borders between pre-tokens, by the classes of the characters that meet."""

import pytest

from tokharness_tokenizers.reference.border_alterations import MOST_WORK, altered_borders

LONG = "a" * (MOST_WORK + 1)


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
