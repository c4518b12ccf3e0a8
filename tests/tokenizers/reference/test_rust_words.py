from __future__ import annotations

import re

import pytest

from tokharness_tokenizers.reference.white_space import rust_word


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
