"""The decoder: spaces at the start, bytes, and control pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted._sentencepiece_models import healthy

from tokharness_tokenizers.reference.sentencepiece.decoding import decode_bytes

UNKNOWN, BOS, EOS = 0, 1, 2


def ids_of(tokenizer, *texts):
    return [tokenizer.vocabulary.texts.index(text) for text in texts]


def decoded(name, *texts):
    tokenizer = healthy(name)
    return tokenizer.decode(ids_of(tokenizer, *texts))


def test_one_space_goes_where_one_was_added():
    assert decoded("sp_bytes", "\u2581a", "\u2581a") == "a a"
    assert decoded("sp_bytes", "\u2581", "\u2581a") == " a"


def test_all_spaces_before_the_first_text_go_where_extra_ones_are_removed():
    assert decoded("sp_bpe", "\u2581", "\u2581", "\u2581a", "\u2581a") == "a a"


def test_control_pieces_are_nothing_and_spaces_behind_them_are_at_the_start():
    assert decoded("sp_bytes", "<s>", "\u2581a", "</s>") == "a"


def test_the_unknown_piece_has_its_own_text():
    assert healthy("sp_bpe").decode([UNKNOWN]) == " \u2047 "
    assert healthy("sp_characters").decode([UNKNOWN]) == "\u2047"


def test_the_space_behind_a_text_stays_where_spaces_end_words():
    tokenizer = healthy("sp_suffix")
    assert tokenizer.decode(tokenizer.encode("a")) == "a "


def test_rules_for_decoded_text_are_applied():
    tokenizer = healthy("sp_denormalizer")
    assert tokenizer.decode(tokenizer.encode("a--b...")) == "a\u2014b\u2026"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xe2\x96\x81", "\u2581"),
        (b"\xe2\x96", "\ufffd\ufffd"),
        (b"a\xff\xe2\x82\xacb", "a\ufffd\u20acb"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        (b"\xc0\xaf", "\ufffd\ufffd"),
    ],
)
def test_each_byte_outside_of_a_character_is_one_replacement_character(data, text):
    assert decode_bytes(data) == text


@given(text=st.text(st.characters(exclude_categories=("Cs",)), max_size=9))
def test_bytes_of_text_are_that_text(text):
    assert decode_bytes(text.encode()) == text


def test_an_unknown_id_is_an_error():
    tokenizer = healthy("sp_bpe")
    for number in (-1, tokenizer.n_vocab):
        with pytest.raises(KeyError, match="no piece has the id"):
            tokenizer.decode([number])
        with pytest.raises(KeyError, match="no piece has the id"):
            tokenizer.token_text(number)


@given(text=st.text("the value \u2581\u00e9\ufb01", max_size=12))
def test_decoding_gives_what_is_declared(text):
    for name in ("sp_bytes", "sp_suffix", "sp_denormalizer"):
        tokenizer = healthy(name)
        ids = tokenizer.encode(text)
        if UNKNOWN not in ids:
            assert tokenizer.decode(ids) == tokenizer.normalize(text)
