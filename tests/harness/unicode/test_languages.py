"""Parallel text: each language says the same, in its own words."""

import pytest

from tokharness.unicode.languages import LANGUAGES, language_name, parallel_text
from tokharness.unicode.scripts import script


def test_english_says_months_days_and_languages():
    words = parallel_text("en").split()
    assert (words[0], words[11], words[12]) == ("January", "December", "Sunday")
    assert {"English", "German", "Japanese"} <= set(words)


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_language_names_everything(code):
    text = parallel_text(code)
    assert len(text.split()) >= 19 + 3
    assert text == text.strip()


def test_languages_say_it_in_words_of_their_own():
    assert len({parallel_text(code) for code in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("code", "own"),
    [("my", "Mymr"), ("ru", "Cyrl"), ("hi", "Deva"), ("zh", "Hani"), ("he", "Hebr")],
)
def test_a_language_is_written_in_its_script(code, own):
    text = parallel_text(code)
    assert sum(script(char) == own for char in text) > len(text) / 2


@pytest.mark.parametrize("code", LANGUAGES[::7])
def test_what_was_asked_for_before_does_not_matter(code):
    before = parallel_text(code)
    parallel_text.cache_clear()
    parallel_text("ja")
    assert parallel_text(code) == before


def test_english_stands_first_and_no_language_twice():
    assert LANGUAGES[0] == "en"
    assert len(set(LANGUAGES)) == len(LANGUAGES)


def test_an_unknown_language_is_told():
    with pytest.raises(LookupError, match="no language 'qqq'"):
        parallel_text("qqq")


@pytest.mark.parametrize(
    ("code", "name"),
    [("my", "Burmese"), ("en", "English"), ("qqq", "qqq"), ("not a code", "not a code")],
)
def test_a_language_has_an_english_name_or_its_code(code, name):
    assert language_name(code) == name


def test_no_two_languages_have_one_name():
    assert len({language_name(code).lower() for code in LANGUAGES}) == len(LANGUAGES)
