from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.unicode.normalization import FORMS
from tokharness.unicode.properties import combining, members
from tokharness_tokenizers.reference.normalizers.forms import (
    TOKENIZERS_0_23,
    BertNormalizer,
    NormalForm,
)
from tokharness_tokenizers.reference.normalizers.mapping import Lowercase, Nmt, StripAccents
from tokharness_tokenizers.reference.normalizers.replacing import ByteLevel, Prepend, Strip

# Blocks with small scripts, and all others but those of planes without a character.
SOME = (*range(0, 0x3800, 0x800), *range(0xF800, 0x13000, 0x800), *range(0x1D000, 0x1F800, 0x800))
OTHERS = (
    *(start for start in range(0x3800, 0x40000, 0x800) if start not in SOME),
    *range(0xE0000, 0x110000, 0x800),
)


pytestmark = pytest.mark.needs("tokenizers", "0.23")

VERSIONS = TOKENIZERS_0_23
BOOLS = (False, True)
BERT = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
BERTS = [(a, b, c, d) for a in BOOLS for b in BOOLS for c in (None, *BOOLS) for d in BOOLS]
PAIRS = {
    **{form: ({"type": form}, NormalForm(form, VERSIONS.forms)) for form in FORMS},
    "Lowercase": ({"type": "Lowercase"}, Lowercase(VERSIONS.case)),
    "StripAccents": ({"type": "StripAccents"}, StripAccents(VERSIONS.marks)),
    "Nmt": ({"type": "Nmt"}, Nmt()),
    "ByteLevel": ({"type": "ByteLevel"}, ByteLevel()),
    "Prepend": ({"type": "Prepend", "prepend": "\u2581"}, Prepend("\u2581")),
    **{
        f"Strip-{left}-{right}": (
            {"type": "Strip", "strip_left": left, "strip_right": right},
            Strip(left, right),
        )
        for left in BOOLS
        for right in BOOLS
    },
    **{
        "Bert-" + "-".join(map(str, options)): (
            {"type": "BertNormalizer", **dict(zip(BERT, options, strict=True))},
            BertNormalizer(*options, VERSIONS),
        )
        for options in BERTS
    },
}
SWEPT = (*FORMS, "Lowercase", "StripAccents", "Nmt", "ByteLevel", "Bert-True-True-None-True")
MARKS = [chr(point) for point in members(r"\p{M}") if combining(chr(point))]
CLASSES = list({combining(mark): mark for mark in MARKS}.values())


@cache
def pair(name):
    from tokenizers import Tokenizer, models

    description, own = PAIRS[name]
    tokenizer = json.loads(Tokenizer(models.BPE()).to_str())
    tokenizer["normalizer"] = description
    return Tokenizer.from_str(json.dumps(tokenizer)).normalizer.normalize_str, own.normalize


@pytest.mark.parametrize(
    "starts",
    [
        pytest.param(SOME, id="some blocks"),
        pytest.param(OTHERS, marks=pytest.mark.slow(every=3), id="other blocks"),
    ],
)
@pytest.mark.parametrize("name", SWEPT)
@pytest.mark.parametrize("form", ["{}|", "a\u0345{}\u0334|"], ids=["alone", "among marks"])
def test_each_character_becomes_what_it_becomes_in_the_library(name, form, starts):
    of_library, own = pair(name)
    for start in starts:
        if not 0xD800 <= start < 0xE000:
            text = "".join(form.format(chr(point)) for point in range(start, start + 0x800))
            assert own(text) == of_library(text), hex(start)


@pytest.mark.parametrize("name", [*FORMS, "Bert-False-False-True-False"])
def test_marks_have_the_order_that_they_have_in_the_library(name):
    of_library, own = pair(name)
    for mark in MARKS:
        text = "".join(f"a{mark}{other}a{other}{mark}" for other in CLASSES)
        assert own(text) == of_library(text), hex(ord(mark))


TEXTS = st.text(
    st.one_of(
        st.sampled_from(MARKS),
        st.sampled_from(
            "aAe\u0130\u03a3\u1100\u1161\u11a7\u11a8\uac00\ufb01\uff0c\u4e00\u034f\x00"
        ),
        st.sampled_from("\n \x0b\x1c\x85\xa0\xad\u200b"),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=12,
)


@pytest.mark.parametrize("name", PAIRS)
@settings(max_examples=25)
@given(text=TEXTS)
def test_a_text_becomes_what_it_becomes_in_the_library(name, text):
    of_library, own = pair(name)
    assert own(text) == of_library(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
@settings(max_examples=300)
@given(text=TEXTS)
def test_many_texts_become_what_they_become_in_the_library(name, text):
    of_library, own = pair(name)
    assert own(text) == of_library(text)
