"""Parallel text: each language has the same names, in its own words."""

import json
from importlib.metadata import version
from importlib.resources import files

import pytest

from tokharness.unicode import generate_cldr_names
from tokharness.unicode.languages import LANGUAGES, language_name, parallel_text, parallel_texts
from tokharness.unicode.properties import script

TABLE = files("tokharness.unicode").joinpath("cldr_names.json")


def test_english_has_months_days_and_languages():
    words = parallel_text("en").split()
    assert (words[0], words[11], words[12]) == ("January", "December", "Sunday")
    assert {"English", "German", "Japanese"} <= set(words)


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_language_has_all_names(code):
    text = parallel_text(code)
    assert len(text.split()) >= 19 + 3
    assert text == text.strip()


def test_the_texts_of_languages_differ():
    assert len({parallel_text(code) for code in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("code", "expected"),
    [("my", "Mymr"), ("ru", "Cyrl"), ("hi", "Deva"), ("zh", "Hani"), ("he", "Hebr")],
)
def test_a_language_is_written_in_its_script(code, expected):
    text = parallel_text(code)
    assert sum(script(char) == expected for char in text) > len(text) / 2


def test_english_is_first_and_languages_are_distinct():
    assert LANGUAGES[0] == "en"
    assert len(set(LANGUAGES)) == len(LANGUAGES)


def test_an_unknown_language_is_an_error():
    with pytest.raises(LookupError, match="no names in the language 'qqq'"):
        parallel_text("qqq")


@pytest.mark.parametrize(
    ("code", "name"),
    [("my", "Burmese"), ("en", "English"), ("qqq", "qqq"), ("not a code", "not a code")],
)
def test_a_language_has_an_english_name_or_its_code(code, name):
    assert language_name(code) == name


def test_languages_have_different_names():
    assert len({language_name(code).lower() for code in LANGUAGES}) == len(LANGUAGES)


def test_several_hundred_languages_have_an_english_translation():
    texts = parallel_texts()
    assert len(texts) > 280
    assert list(texts)[1:] == sorted(texts.keys() - {"en"})
    assert next(iter(texts)) == "en"
    own, english = texts["en"]
    assert own == english == f"{parallel_text('en')} {own[len(parallel_text('en')) + 1 :]}"
    for text, translation in texts.values():
        assert translation.startswith("January February")
        assert set(translation.split()) <= set(english.split())
        assert len(text) > 19


def test_languages_have_different_texts():
    texts = parallel_texts()
    assert len({text for text, _ in texts.values()}) == len(texts)
    assert texts.keys() >= set(LANGUAGES)
    assert not {"ht", "no", "kaa_Cyrl"} & texts.keys(), "French, nb and kaa by another code"


def test_names_that_a_language_does_not_have_are_left_out_of_both_texts():
    texts = parallel_texts()
    shorter = [english for _, english in texts.values() if english != texts["en"][1]]
    assert shorter
    assert all(len(english.split()) >= 19 for english in shorter)


def test_no_text_has_a_placeholder():
    assert not [code for code, (text, _) in parallel_texts().items() if "M01" in text.split()]


@pytest.mark.slow
def test_the_table_is_what_its_command_makes(tmp_path):
    source = json.loads(TABLE.read_text("ascii"))["source"]
    if not source.endswith(f"babel {version('babel')}"):
        pytest.skip(f"babel {version('babel')} is not the release of the table")
    path = tmp_path / "cldr_names.json"
    generate_cldr_names.main([str(path)])
    assert path.read_text("ascii") == TABLE.read_text("ascii")


def test_the_command_without_arguments_prints_its_usage():
    with pytest.raises(SystemExit, match="generate_cldr_names OUTPUT"):
        generate_cldr_names.main([])
