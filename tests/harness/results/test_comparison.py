"""Targets side by side: what is counted, what is best, what is not told."""

import pytest

from tokharness.results.comparison import Row, comparison, format_value


def language(code, tokens, english_words=4, **fields):
    common = {
        "name": code.upper(),
        "bytes": 40,
        "words": 4,
        "single_token_words": 2,
        "english_words": english_words,
        "lossless": True,
    }
    return {"code": code, "tokens": tokens, **common, **fields}


def measures(tokens, **fields):
    number = {"text": "1234567", "ids": [1, 2], "bytes": ["313233", "34353637"]}
    common = {
        "languages": [language("en", tokens), language("my", tokens * 4)],
        "code": [{"language": "Python", "bytes": 100, "tokens": tokens, "lossless": True}],
        "prose": {"bytes": 80, "tokens": tokens, "lossless": True, "words": 4, "single_token_words": 2},
        "numbers": {"policy": "single digits", "encodings": [number]},
        "vocabulary": {"n_vocab": 1000, "special_tokens": {"<end>": 9}},
    }
    return {**common, **fields}


def values(targets, group, name, width=1000):
    rows = {(row.group, row.name): row for row in comparison(targets, width).rows}
    return rows[group, name]


def test_memory_is_that_of_numbers_of_two_bytes():
    row = values({"a": measures(8)}, "vocabulary", "embedding of width 1,000")
    assert row.values == (2.0,)
    assert row.unit == "MB"


def test_fertility_is_counted_in_words_of_the_english_text():
    row = values({"a": measures(8), "b": measures(4)}, "fertility", "MY")
    assert row.values == (8.0, 4.0)


def test_all_languages_are_weighed_by_their_bytes():
    row = values({"a": measures(8)}, "bytes a token", "all languages")
    assert row.values == (80 / 40,)


def test_words_kept_whole_are_a_share():
    assert values({"a": measures(8)}, "words kept whole", "English prose").values == (50.0,)


def test_a_number_is_shown_as_it_is_cut():
    assert values({"a": measures(8)}, "digits", "1234567").values == ("123 4567",)


def test_tokens_without_bytes_are_counted():
    number = {"text": "1234567", "ids": [1, 2], "bytes": None}
    one = measures(8, numbers={"policy": None, "encodings": [number]})
    assert values({"a": one}, "digits", "1234567").values == ("2 tokens",)


@pytest.mark.parametrize("name", ["languages", "code", "numbers", "prose", "vocabulary"])
def test_what_was_not_measured_is_not_told(name):
    found = comparison({"a": measures(8), "b": measures(8, **{name: None})}, 1)
    assert len(found.rows) == len(comparison({"a": measures(8)}, 1).rows)
    assert any(row.values[1] is None for row in found.rows)


def test_a_language_on_which_a_target_raises_is_not_told():
    one = measures(8, languages=[language("en", 4), language("my", None)])
    assert values({"a": one}, "fertility", "MY").values == (None,)
    assert values({"a": one}, "fertility", "mean of 1 language").values == (1.0,)


def test_means_are_of_the_languages_that_all_targets_encode():
    both = [language("en", 8), language("de", 12)]
    one = measures(8, languages=[*both, language("my", None)])
    other = measures(4, languages=[*both, language("my", 80)])
    row = values({"a": one, "b": other}, "fertility", "mean of 2 languages")
    assert row.values == (2.5, 2.5)


def test_what_is_lost_costs_nothing_that_counts():
    lost = [language("en", 1, lossless=False), language("my", 1, lossless=False)]
    two = {"a": measures(8, languages=lost), "b": measures(4)}
    row = values(two, "fertility", "MY")
    assert row.values == ("lossy", 4.0)
    assert row.best == set()
    assert values(two, "fertility", "mean of 2 languages").values == ("lossy", 2.5)
    assert values(two, "words kept whole", "all languages").values == ("lossy", 50.0)


def test_no_tokens_at_all_are_no_gain():
    none = {"bytes": 80, "tokens": 0, "lossless": False, "words": 4, "single_token_words": 0}
    row = values({"a": measures(8, prose=none)}, "bytes a token", "English prose")
    assert row.values == ("lossy",)


def test_texts_that_fail_are_counted():
    rows = [language("en", 8), language("my", None), language("de", 8, lossless=False)]
    one = {"a": measures(8, languages=rows)}
    assert values(one, "of 5 texts", "are not encoded").values == (1,)
    assert values(one, "of 5 texts", "do not come back").values == (1,)


def test_a_value_is_rounded_once():
    one = measures(8, languages=[language("en", 180, english_words=37)])
    (value,) = values({"a": one}, "fertility", "EN").values
    assert format_value(value) == "4.86"


@pytest.mark.parametrize(
    ("some", "better", "best"),
    [
        ((1.0, 2.0, 1.0), "lower", {0, 2}),
        ((1.0, 2.0, None), "higher", {1}),
        ((2.0, 2.0), "lower", set()),
        ((1.0, 2.0), "", set()),
        (("x", "y"), "lower", set()),
    ],
)
def test_the_best_values_are_marked(some, better, best):
    assert Row("g", "n", "", some, better).best == best


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "not told"),
        ("x", "x"),
        (1234.5, "1,234"),
        (5, "5"),
        (200_019, "200,019"),
        (3.0, "3.00"),
        (3.14159, "3.14"),
        (14.26, "14.3"),
    ],
)
def test_values_are_told_with_the_digits_that_count(value, told):
    assert format_value(value) == told
