"""The normalizer: what becomes of rules, spaces and user-defined pieces, and where it came from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes
from tokharness_tokenizers.reference.sentencepiece.model_file import NormalizerSpec
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing

RULES = charsmap_bytes(
    {
        "\ufb01": "fi",
        "\t": " ",
        "\u00a8": " \u0308",
        "\u200b": "",
        "ab": "x",
        "abc": "y  z",
        "\u3000": "  ",
        "e\u0301": "\u00e9",
        "\u0378": "\u2581",
    }
)
ASCII_RULES = charsmap_bytes({"\t": " ", "\x01": "", "\u00a0": " "})
FLAGS = st.booleans()
NORMALIZERS = st.builds(
    lambda rules, prefix, extra, escape, kept, suffix: Normalizing.of(
        NormalizerSpec("x", rules, prefix, extra, escape), kept, space_is_suffix=suffix
    ),
    st.sampled_from((b"", RULES, ASCII_RULES)),
    *(FLAGS, FLAGS, FLAGS),
    st.sampled_from(((), ("\ufb01",), ("bc", "b", "  "), (" a ",))),
    FLAGS,
)
TEXTS = st.text("abce \t\u2581\u3000\u0301\u0308\ufb01\u00a8\u200b\u0378\x01\u00a0", max_size=9)


@given(normalizing=NORMALIZERS, text=TEXTS)
def test_the_fast_way_gives_the_text_of_the_plain_one(normalizing, text):
    assert normalizing.normalize(text) == normalizing.with_starts(text)[0]


@given(normalizing=NORMALIZERS, text=TEXTS)
def test_each_character_and_the_end_have_a_place_in_order(normalizing, text):
    new, starts = normalizing.with_starts(text)
    assert len(starts) == len(new) + bool(starts)
    assert starts == sorted(starts)
    assert all(0 <= start <= len(text) for start in starts)


def made(*, suffix=False, kept=(), rules=RULES, **flags):
    return Normalizing.of(NormalizerSpec("x", rules, **flags), kept, space_is_suffix=suffix)


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("", ""),
        ("  ", ""),
        ("a", "\u2581a"),
        (" a  b ", "\u2581a\u2581b"),
        ("abcd", "\u2581y\u2581\u2581zd"),  # the longest rule, of which both spaces stay
        ("a \u00a8", "\u2581a\u2581\u0308"),  # the space of a replacement is an extra one
        ("\ufb01\u200b", "\u2581fi"),
        ("a\u2581", "\u2581a"),  # U+2581 of the text is lost at its end
        ("\u2581a", "\u2581\u2581a"),
    ],
)
def test_rules_and_spaces_with_the_default_settings(text, normalized):
    assert made().normalize(text) == normalized


def test_a_space_is_put_last_where_it_ends_words():
    assert made(suffix=True).normalize(" a b ") == "a\u2581b\u2581"
    assert made(suffix=True).normalize(" ") == ""
    assert made(suffix=True).normalize("\u200b") == "\u2581"


def test_user_defined_pieces_precede_rules_that_begin_where_they_do():
    assert (
        made(kept=("\ufb01", "bc")).normalize("\ufb01bc abc")
        == "\u2581\ufb01bc\u2581y\u2581\u2581z"
    )


def test_a_character_has_the_place_of_what_is_replaced():
    assert made().with_starts("  \ufb01 a ") == ("\u2581fi\u2581a", [2, 2, 2, 3, 4, 5])
