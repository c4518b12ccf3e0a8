"""Properties, names and sets of code points."""

import pytest
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


def test_members_finds_surrogates():
    assert properties.members(r"\p{Cs}") == tuple(range(0xD800, 0xE000))


def test_members_of_a_union_are_in_code_point_order():
    both = properties.members(r"[\p{Bidi_Control}\p{White_Space}]")
    assert both == tuple(sorted(set(both)))
    assert len(both) == 12 + 25


def test_members_of_an_alternation_are_single_characters():
    assert properties.members("b|a") == (97, 98)


def test_members_refuses_what_is_no_expression():
    with pytest.raises(ValueError, match="not a character class"):
        properties.members(r"\p{No_Such_Property}")


def test_ranges_joins_neighbours_whatever_their_order():
    assert properties.ranges([0xFEFF, 0x200C, 0x200B, 0x200D]) == "U+200B..U+200D, U+FEFF"


def test_ranges_of_nothing_is_empty():
    assert properties.ranges([]) == ""


def test_digit_sets_hold_every_decimal_digit_in_order_of_value():
    sets = properties.digit_sets()
    assert sets[0] == "0123456789"
    assert all([unicodedata2.decimal(char) for char in each] == list(range(10)) for each in sets)
    assert tuple(ord(char) for each in sets for char in each) == properties.members(r"\p{Nd}")


def test_digit_sets_are_as_many_as_the_version_has():
    if properties.UNICODE_VERSION != "18.0.0":
        pytest.skip("counted for Unicode 18.0")
    assert len(properties.digit_sets()) == 77
