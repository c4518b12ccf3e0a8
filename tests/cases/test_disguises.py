"""Disguises: NFKC or a decoder restores the plain text."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode.confusables import are_confusable
from tokharness.unicode.normalization import normalize
from tokharness_cases import _disguises, _payloads

ascii_text = st.text(string.printable[:95], min_size=1)
ascii_word = st.text(string.ascii_letters + string.digits, min_size=1)


@given(ascii_text)
def test_nfkc_undoes_fullwidth_forms(text: str) -> None:
    assert normalize("NFKC", _disguises.to_fullwidth(text)) == text


@pytest.mark.parametrize("style", _disguises.MATH_STYLES)
def test_nfkc_undoes_every_mathematical_style(style: str) -> None:
    plain = string.ascii_letters + string.digits
    rewritten = _disguises.to_mathematical(plain, style)
    assert normalize("NFKC", rewritten) == plain
    assert not set(string.ascii_letters) & set(rewritten)


@given(ascii_text)
def test_tag_characters_mirror_ascii(text: str) -> None:
    assert "".join(chr(ord(char) - 0xE0000) for char in _disguises.to_tags(text)) == text


@given(st.binary())
def test_variation_selectors_decode_to_their_bytes(data: bytes) -> None:
    points = map(ord, _payloads.to_selectors(data))
    assert bytes(p - 0xFE00 if p < 0xE0100 else p - 0xE0100 + 16 for p in points) == data


@given(st.binary(min_size=1))
def test_invisible_bits_decode_to_their_bytes(data: bytes) -> None:
    text = _payloads.to_bits(data, "\u2062", "\u2064")
    digits = text.replace("\u2062", "0").replace("\u2064", "1")
    assert int(digits, 2).to_bytes(len(data), "big") == data


@given(st.sampled_from("<|>[]/_aZ0"))
def test_nfkc_of_a_compatibility_variant_is_the_plain_character(char: str) -> None:
    assert _disguises.compatibility_variants(char)
    assert all(
        normalize("NFKC", other) == char for other in _disguises.compatibility_variants(char)
    )


@given(ascii_word)
def test_replacing_one_character_gives_a_confusable_text(word: str) -> None:
    for text in _disguises.replace_one(word):
        assert not text.isascii()
        assert are_confusable(text, word)
