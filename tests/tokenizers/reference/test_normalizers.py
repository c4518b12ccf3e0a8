from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.unicode.normalization import FORMS, normalize
from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.normalizers.forms import (
    TOKENIZERS_0_23,
    BertNormalizer,
    NormalForm,
)
from tokharness_tokenizers.reference.normalizers.mapping import (
    CharacterMap,
    Lowercase,
    Nmt,
    Replacement,
    StripAccents,
    of_categories,
)
from tokharness_tokenizers.reference.normalizers.replacing import (
    ByteLevel,
    Prepend,
    Replace,
    Sequence,
    Strip,
)
from tokharness_tokenizers.reference.white_space import WHITE_SPACE

AB = re.compile("ab")
REPLACE = Replace(
    find=lambda text: [match.span() for match in AB.finditer(text)],
    content="xyz",
    substitute=lambda text: AB.sub("xyz", text),
)
NORMALIZERS = [
    *(NormalForm(form, version) for form in FORMS for version in (None, "9.0")),
    Lowercase(),
    Lowercase("15.1"),
    StripAccents(),
    StripAccents("9.0"),
    Nmt(),
    ByteLevel(),
    REPLACE,
    Prepend("\u2581"),
    Prepend(""),
    *(Strip(left, right) for left in (False, True) for right in (False, True)),
    *(
        BertNormalizer(clean, spaces, accents, lower, TOKENIZERS_0_23)
        for clean in (False, True)
        for spaces in (False, True)
        for accents in (None, False, True)
        for lower in (False, True)
    ),
    BertNormalizer(),
    Sequence((NormalForm("NFD"), StripAccents(), Lowercase(), REPLACE, Strip(True, True))),  # noqa: FBT003
]
# Marks of several classes, letters that decompose, jamo, controls, spaces, later characters.
SPECIAL = (
    "ab\u0301\u0323\u0334\u0345\u302e\u3099\u00e9\u1ead\u0130\u03a3\ufb01\uff0c\u1100\u1161\u11a8"
    "\uac00\u4e00\x00\x07\t\n \x85\xa0\u200b\u2028\ufeff\ufffd\u08e2\u0897\u1c89\U00016d6a"
    "\U00011938\U0001193e\U00016121\U0002b830\U0001f600"
)
TEXTS = st.text(
    st.one_of(st.sampled_from(SPECIAL), st.characters(exclude_categories=("Cs",))), max_size=12
)


EACH_NORMALIZER = pytest.mark.parametrize(
    "normalizer", NORMALIZERS, ids=lambda one: type(one).__name__
)


@EACH_NORMALIZER
@settings(max_examples=25)
@given(text=TEXTS)
def test_the_aligned_text_is_the_normalized_one_with_a_span_a_character(normalizer, text):
    check_aligned(normalizer, text)


@pytest.mark.slow(every=4)
@EACH_NORMALIZER
@settings(max_examples=300)
@given(text=TEXTS)
def test_many_aligned_texts_are_the_normalized_ones(normalizer, text):
    check_aligned(normalizer, text)


def check_aligned(normalizer, text):
    new = normalizer.apply(Aligned.of(text))
    assert new.text == normalizer.normalize(text)
    assert len(new.spans) == len(new.text)
    assert all(0 <= start <= end <= len(text) for start, end in new.spans)
    assert normalizer.apply(Aligned(text)) == Aligned(new.text)


@pytest.mark.parametrize("form", FORMS)
@given(text=TEXTS)
def test_a_normal_form_is_that_of_the_standard(form, text):
    assert NormalForm(form).normalize(text) == normalize(form, text)
    assert NormalForm(form, "9.0").normalize(text) == normalize(form, text, version="9.0")


@pytest.mark.parametrize(
    "starts",
    [
        pytest.param((*range(0, 0x3000, 0x1000), 0xF000, 0x11000, 0x1D000), id="some planes"),
        pytest.param(range(0, 0x110000, 0x1000), marks=pytest.mark.slow, id="all planes"),
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_each_character_has_its_normal_form_before_and_after_a_mark(form, starts):
    for start in starts:
        if not 0xD800 <= start < 0xE000:
            text = "".join(f"{chr(p)}\u0301{chr(p)}\u3099" for p in range(start, start + 0x1000))
            assert NormalForm(form).normalize(text) == normalize(form, text)


@pytest.mark.parametrize(
    ("form", "text", "spans"),
    [
        ("NFC", "xe\u0301y", ((0, 1), (1, 3), (3, 4))),
        ("NFD", "x\u00e9y", ((0, 1), (1, 2), (1, 2), (2, 3))),
        ("NFD", "a\u0301\u0323y", ((0, 3), (0, 3), (0, 3), (3, 4))),
        ("NFC", "\u1100\u1161\u11a8", ((0, 3),)),
        ("NFKC", "\ufb01\uff0c", ((0, 1), (0, 1), (1, 2))),
    ],
)
def test_a_character_of_a_normal_form_has_the_span_of_what_it_came_from(form, text, spans):
    assert NormalForm(form).apply(Aligned.of(text)).spans == spans


def test_a_version_leaves_characters_that_it_does_not_know():
    text = "\u32ff\U00011938"
    assert NormalForm("NFKD", "9.0").normalize(text) == text
    assert NormalForm("NFKD").normalize(text) == "\u4ee4\u548c\U00011935\U00011930"


def test_lowercase_maps_each_character_alone():
    assert (
        Lowercase().normalize("\u039f\u0394\u039f\u03a3 \u0130")
        == "\u03bf\u03b4\u03bf\u03c3 i\u0307"
    )


def test_each_character_that_changes_when_lowercased_has_one_lowercase():
    changed = [chr(p) for p in range(0x110000) if chr(p).lower() != chr(p)]
    assert all(Lowercase().normalize(char) == char.lower() for char in changed)


def test_strip_accents_decomposes_nothing():
    assert StripAccents().normalize("e\u0301\u00e9\u0903\u20dd") == "e\u00e9"


def test_strip_accents_has_the_marks_of_its_version():
    assert StripAccents("9.0").normalize("a\u0897\u1cf2") == "a\u0897"
    assert StripAccents().normalize("a\u0897\u1cf2") == "a\u1cf2"


def test_nmt_removes_controls_and_makes_spaces():
    assert Nmt().normalize("\x00a\x01\t\u200b\u2581\x8e\x8f\x9f") == "\x00a   \x8e"


def test_byte_level_writes_bytes():
    new = ByteLevel().apply(Aligned.of(" \u00e9"))
    assert new == Aligned("\u0120\u00c3\u00a9", ((0, 1), (1, 2), (1, 2)))


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        ({}, "H\u00e9\u200b \u4e2d\u56fd\t\x00\ufffd\ue000", "he  \u4e2d  \u56fd  "),
        ({"lowercase": False}, "H\u00e9", "H\u00e9"),
        ({"lowercase": False, "strip_accents": True}, "H\u00e9", "He"),
        ({"strip_accents": False}, "H\u00c9", "h\u00e9"),
        ({"clean_text": False}, "\x00\t", "\x00\t"),
        ({"handle_chinese_chars": False}, "\u4e2d", "\u4e2d"),
        ({}, "\x0b\x85\x1c\n\u2028\u3000", "   "),
        ({}, "\U0002b81f\U0002b820\U0002b920", " \U0002b81f \U0002b820 \U0002b920 "),
        ({}, "\u0378", "\u0378"),
    ],
)
def test_the_parts_of_the_bert_normalizer(options, text, expected):
    assert BertNormalizer(**options).normalize(text) == expected


def test_the_bert_normalizer_keeps_marks_that_its_categories_do_not_know():
    versions = TOKENIZERS_0_23
    assert BertNormalizer(versions=versions).normalize("a\u08d4\u0301") == "a\u08d4"
    assert BertNormalizer().normalize("a\u08d4\u0301") == "a"


def test_what_is_prepended_has_an_empty_span():
    assert Prepend("_").apply(Aligned.of("ab")) == Aligned("_ab", ((0, 0), (0, 1), (1, 2)))
    assert Prepend("_").normalize("") == ""


def test_what_replaces_a_match_has_its_span():
    assert REPLACE.apply(Aligned.of("cab")).spans == ((0, 1), (1, 3), (1, 3), (1, 3))


def test_strip_removes_white_space_but_no_other_separators():
    text = f"{WHITE_SPACE}\x1ca\u200b{WHITE_SPACE}"
    assert Strip(strip_left=True, strip_right=True).normalize(text) == "\x1ca\u200b"
    assert Strip(strip_left=True, strip_right=True).normalize(WHITE_SPACE) == ""
    assert Strip(strip_left=True, strip_right=True).apply(Aligned.of(" a ")).spans == ((1, 2),)


def test_white_space_is_the_property_of_unicode():
    from tokharness.unicode.properties import members

    assert tuple(map(ord, WHITE_SPACE)) == members(r"\p{White_Space}")


@pytest.mark.parametrize("version", ["7.0", "12.1", "18.0", None])
def test_categories_are_those_of_the_version(version):
    from tokharness.unicode.versions import VERSIONS, category_in

    found = of_categories(version, "Mn", "Cf")
    in_version = version or VERSIONS[-1]
    characters = map(chr, range(0x20000))
    expected = {char for char in characters if category_in(char, in_version) in ("Mn", "Cf")}
    assert {char for char in found if ord(char) < 0x20000} == expected


REPLACED = "ab\u0301\U0001f600"
TO_ONE = {new: Replacement(REPLACED, new) for new in ("", " ")}
UPPER = CharacterMap(str.upper, map(ord, "ab\U0001f600"))


@given(text=TEXTS)
def test_a_replacement_is_a_map_to_one_text(text):
    for new, replacement in TO_ONE.items():
        expected = "".join(new if char in REPLACED else char for char in text)
        assert replacement.normalize(text) == expected


@given(text=TEXTS)
def test_a_map_changes_the_characters_that_it_is_for(text):
    changed = (char.upper() if char in "ab" or ord(char) > 0xFFFF else char for char in text)
    assert UPPER.normalize(text) == "".join(changed)
