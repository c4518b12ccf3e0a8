""""""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.normalizers.forms import BertNormalizer
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import Bert
from tokharness_tokenizers.reference.white_space import rust_word
from tokharness_tokenizers.reference.wordpiece_training import count_words

ODD = "ab, \t\n\x0b\x0c\x1c\x1f\x85\xa0\u2028\u3000\u200b\ufffd\u0301\u03a3\u00c9\u4e2d#\U0001f600"


@pytest.mark.slow
@given(
    st.lists(st.text(alphabet=ODD, max_size=30) | st.text(max_size=9), max_size=5), st.booleans()
)
def test_the_words_are_those_of_each_whole_text(texts: list[str], lowercase: bool) -> None:
    normalizer = BertNormalizer(lowercase=lowercase)
    words = [word for text in texts for word in Bert().words(normalizer.normalize(text))]
    assert count_words(texts, lowercase=lowercase) == Counter(words)


def test_words_are_those_of_annex_c() -> None:
    word = rust_word()
    assert {"a", "1", "_", "\u203f", "\u0301", "\u200d", "\u2167", "\u24b6"} <= word
    assert word.isdisjoint("\xb2\xbd -.")


def test_words_of_ascii_are_those_of_re() -> None:
    ascii_word = set(re.findall(r"\w", "".join(map(chr, range(0x80)))))
    assert {char for char in rust_word() if char.isascii()} == ascii_word


def test_words_of_an_old_version_have_no_new_letters() -> None:
    assert rust_word("16.0") < rust_word()
    assert "\U00016ea0" in rust_word("17.0") - rust_word("16.0")  # Beria Erfe


@pytest.mark.slow
@pytest.mark.needs("tokenizers", "0.23")
def test_words_are_those_of_the_library() -> None:
    from tokenizers.pre_tokenizers import Whitespace

    # Every character of the planes in use. For the basic ones, see the tests of Whitespace.
    every = map(chr, (*range(0xD800), *range(0xE000, 0x33480), *range(0xE0000, 0xE0200)))
    text = "".join(f"{char}a " for char in every)
    spans = (span for _, span in Whitespace().pre_tokenize_str(text))
    assert {text[start] for start, end in spans if end - start == 2} == rust_word("16.0")
