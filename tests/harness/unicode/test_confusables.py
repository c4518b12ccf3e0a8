"""Skeletons and script tests of UTS #39."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode import confusables
from tokharness.unicode.confusables import (
    ALL_SCRIPTS,
    are_confusable,
    confusables_of,
    is_whole_script_confusable,
    resolved_scripts,
    resolved_scripts_of,
    skeleton,
)

CYRILLIC_PAYPAL = "\u0440\u0430\u0443\u0440\u0430\u04c0"
listed = st.sampled_from(sorted(confusables._pairs()))


@given(st.lists(st.one_of(listed, st.characters(exclude_categories=()))).map("".join))
def test_skeleton_of_a_skeleton_is_itself(text):
    assert skeleton(skeleton(text)) == skeleton(text)


def test_skeleton_of_every_listed_text_is_a_fixed_point():
    texts = map(skeleton, confusables._pairs())
    assert [text for text in texts if skeleton(text) != text] == []


@pytest.mark.parametrize(
    ("text", "prototype"),
    [("I", "l"), ("1", "l"), ("|", "l"), ("0", "O"), ("m", "rn"), ("\u0430", "a"), ("\u05d5", "l")],
)
def test_prototypes_are_those_of_the_standard(text, prototype):
    assert skeleton(text) == prototype


def test_each_class_of_the_data_is_a_star_around_its_prototype():
    pairs = confusables._pairs()
    centers = {text for text, partners in pairs.items() if len(partners) > 1}
    assert not [text for text in centers if any(partner in centers for partner in pairs[text])]


def test_different_letters_have_different_skeletons():
    letters = "abcdefghijklnopqrstuvwxyzABCDEFGHJKLMNOPQRSTUVWXYZ"
    assert skeleton(letters) == letters


def test_invisible_characters_do_not_change_a_skeleton():
    assert skeleton("pay\u200bpal\ufe0f") == skeleton("paypal")


def test_composed_and_decomposed_texts_have_the_same_skeleton():
    assert skeleton("caf\u00e9") == skeleton("cafe\u0301")


def test_a_text_is_not_confusable_with_itself():
    assert not are_confusable("a", "a")


def test_lookalikes_are_confusable():
    assert are_confusable("paypal", CYRILLIC_PAYPAL)


def test_confusables_of_a_character_may_be_longer():
    assert "rn" in confusables_of("m")


@given(st.sampled_from(sorted(text for text in confusables._pairs() if len(text) == 1)))
def test_confusables_of_a_character_share_its_skeleton(char):
    assert all(are_confusable(char, other) for other in confusables_of(char))


def test_a_character_may_have_no_confusables():
    assert confusables_of("\U000c8000") == ()


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("paypal", False),
        ("p\u0430ypal", True),
        ("123", False),
        ("a1", False),
        ("\u6f22\u3042\u30ab", False),
        ("\u6f22\uac00", False),
        ("\u3042\uac00", True),
        ("\u3042a", True),
    ],
)
def test_mixed_script(text, mixed):
    assert (not resolved_scripts(text)) is mixed


def test_han_counts_as_every_writing_system_with_han():
    assert resolved_scripts("\u6f22") == {"Hani", "Hanb", "Jpan", "Kore"}


def test_a_text_without_a_script_of_its_own_has_all_scripts():
    assert resolved_scripts("1, 2") == ALL_SCRIPTS


@pytest.mark.parametrize(
    ("text", "scripts", "expected"),
    [
        (CYRILLIC_PAYPAL, ("Latn",), True),
        (CYRILLIC_PAYPAL, (), True),
        (CYRILLIC_PAYPAL, ("Hebr",), False),
        (CYRILLIC_PAYPAL, ("Cyrl",), False),
        ("\u0434\u0436", ("Latn",), False),
        ("p\u0430ypal", ("Cyrl",), False),
        ("123", ("Latn",), False),
        ("", (), False),
    ],
)
def test_whole_script_confusables(text, scripts, expected):
    assert is_whole_script_confusable(text, *scripts) is expected


def test_data_source_names_the_package():
    assert "confusable-homoglyphs " in confusables.DATA_SOURCE


def test_the_scripts_of_many_characters_are_those_of_each():
    chars = "a\u0430\u03b1\u6f22\u30ab\u0964\u0301\u2764 \ue000\u0378"
    assert resolved_scripts_of(chars) == {char: resolved_scripts(char) for char in chars}
