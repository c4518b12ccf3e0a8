"""Words that are cut at places of another text."""

import pytest

from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.misplaced_cuts import misplaced_cuts
from tokharness_tokenizers.reference.patterns import R50K

cut = ByteBPE("bytes", R50K, {bytes([byte]): byte for byte in range(256)}).pretokens


@pytest.mark.parametrize(
    ("what", "text", "words"),
    [
        ("where the text in lower case has its words", "\u0130 00", ["\u0130", " ", "00"]),
        ("where the text in upper case has its words", "\u00df 00", ["\u00df ", "00"]),
        ("where the text in NFC has its words", "e\u0301 00", ["e", "\u0301 0"]),
        ("at places that are counted in units of UTF-16", "\U0001d400 00", ["\U0001d400 ", "00"]),
        ("at places that are counted in bytes", "\u00e9 00", ["\u00e9 ", "00"]),
    ],
)
def test_words_are_cut_at_places_of_another_text(what, text, words):
    assert dict(misplaced_cuts(cut, text))[f"words are cut {what}"] == words


def test_a_text_that_no_form_changes_has_no_other_places():
    assert dict(misplaced_cuts(cut, "1 2")) == {}
