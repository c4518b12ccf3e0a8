"""Case mappings of characters at a Unicode version."""

import pytest

from tokharness.unicode.case_mapping import case_folded, lowercase_of, uppercase_of

LATER = ("\u1c89\u1c8a", "\ua7cb\u0264", "\ua7dc\u019b", "\U00010d50\U00010d70")
"""Pairs of letters since Unicode 16.0: upper case and lower case."""


@pytest.mark.parametrize(("upper", "lower"), LATER)
def test_letters_that_python_does_not_know_have_their_partner(upper, lower):
    assert lowercase_of(upper, "16.0") == lower
    assert case_folded(upper, "16.0") == lower
    assert lowercase_of(upper, "15.1") == upper


def test_the_uppercase_of_a_new_letter_is_known():
    assert uppercase_of("\U00010d70", None) == "\U00010d50"
    assert uppercase_of("\U00010d70", "15.1") == "\U00010d70"


def test_a_letter_keeps_its_case_before_its_partner_was_assigned():
    assert lowercase_of("\u13a0", "7.0") == "\u13a0"
    assert lowercase_of("\u13a0", "8.0") == "\uab70"


def test_known_letters_are_mapped_as_python_does():
    points = [chr(p) for p in range(0x250) if p != 0x19B]  # which got its upper case in 16.0
    assert [lowercase_of(char, None) for char in points] == [char.lower() for char in points]
    assert [uppercase_of(char, None) for char in points] == [char.upper() for char in points]
    assert [case_folded(char, None) for char in points] == [char.casefold() for char in points]
