"""Properties, names and sets of code points."""

import sys

import pytest
import regex
import unicodedata2

from tokharness.unicode import properties


@pytest.mark.parametrize(
    ("char", "expected"),
    [
        ("\u200b", "U+200B ZERO WIDTH SPACE"),
        ("\0", "U+0000 <control-0000>"),
        ("\u0378", "U+0378 <reserved-0378>"),
        ("\ufdd0", "U+FDD0 <noncharacter-FDD0>"),
        ("\U0010ffff", "U+10FFFF <noncharacter-10FFFF>"),
        ("\ud800", "U+D800 <surrogate-D800>"),
        ("\ue000", "U+E000 <private-use-E000>"),
        ("\u4e00", "U+4E00 CJK UNIFIED IDEOGRAPH-4E00"),
    ],
)
def test_label_names_every_kind_of_code_point(char, expected):
    assert properties.label(char) == expected


def test_members_includes_surrogates():
    assert properties.members(r"\p{Cs}") == tuple(range(0xD800, 0xE000))


@pytest.mark.parametrize(
    "expression",
    [
        r"(?!\p{Noncharacter_Code_Point})\p{Cn}",
        r"\p{Co}",
        r"\p{Bidi_Class=BN}",
        r"\p{Block=Supplementary_Private_Use_Area_A}",
        "[\U0003fffe-\U000c8000]",
        r"[\U000c8000\U00100000]",
    ],
)
def test_members_of_planes_without_characters_are_complete(expression):
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert properties.members(expression) == tuple(map(ord, regex.findall(expression, every)))


def test_members_of_a_union_are_in_code_point_order():
    union = properties.members(r"[\p{Bidi_Control}\p{White_Space}]")
    assert union == tuple(sorted(set(union)))
    assert len(union) == 12 + 25


def test_members_of_an_alternation_are_single_characters():
    assert properties.members("b|a") == (97, 98)


def test_members_of_an_invalid_expression_is_an_error():
    with pytest.raises(ValueError, match="not a character class"):
        properties.members(r"\p{No_Such_Property}")


def test_ranges_joins_adjacent_code_points_in_any_order():
    assert properties.ranges([0xFEFF, 0x200C, 0x200B, 0x200D]) == "U+200B..U+200D, U+FEFF"


def test_ranges_of_nothing_is_empty():
    assert properties.ranges([]) == ""


def test_digit_sets_have_every_decimal_digit_in_order_of_value():
    sets = properties.digit_sets()
    assert sets[0] == "0123456789"
    values = [[unicodedata2.decimal(char) for char in digits] for digits in sets]
    assert values == [list(range(10))] * len(sets)
    assert tuple(ord(char) for digits in sets for char in digits) == properties.members(r"\p{Nd}")


def test_the_number_of_digit_sets_is_that_of_the_version():
    if properties.UNICODE_VERSION != "18.0.0":
        pytest.skip("the number is that of Unicode 18.0")
    assert len(properties.digit_sets()) == 77


@pytest.mark.parametrize("digits", properties.digit_sets())
def test_a_digit_is_in_its_set(digits):
    assert {properties.digits_like(char) for char in digits} == {digits}


def test_a_number_that_is_no_digit_is_in_no_set():
    assert properties.digits_like("\u00bd") is None
