"""A comparison of targets: its values, the best of them, and unknown values."""

import pytest

from tokharness.results.comparison import Row, comparison, format_value


def language(code, tokens, english_words=4, **fields):
    common = {
        "name": code.upper(),
        "script": "Latin",
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
        "prose": {
            "bytes": 80,
            "tokens": tokens,
            "lossless": True,
            "words": 4,
            "single_token_words": 2,
        },
        "numbers": {"policy": "single digits", "encodings": [number]},
        "vocabulary": {"n_vocab": 1000, "special_tokens": {"<end>": 9}},
    }
    return {**common, **fields}


def values(targets, group, name, width=1000):
    rows = {(row.group, row.name): row for row in comparison(targets, width).rows}
    return rows[group, name]


def test_memory_counts_two_bytes_per_weight():
    row = values({"a": measures(8)}, "vocabulary", "embedding of width 1,000")
    assert row.values == (2.0,)
    assert row.unit == "MB"


def test_fertility_is_tokens_per_word_of_the_english_text():
    row = values({"a": measures(8), "b": measures(4)}, "fertility", "MY")
    assert row.values == (8.0, 4.0)


def test_all_languages_are_weighted_by_their_bytes():
    row = values({"a": measures(8)}, "bytes per token", "all languages")
    assert row.values == (80 / 40,)


def test_words_that_are_one_token_are_a_percentage():
    assert values({"a": measures(8)}, "words that are one token", "English prose").values == (50.0,)


def test_a_number_is_shown_as_its_tokens():
    assert values({"a": measures(8)}, "digits", "1234567").values == ("123 4567",)


def test_tokens_without_bytes_are_counted():
    number = {"text": "1234567", "ids": [1, 2], "bytes": None}
    one = measures(8, numbers={"policy": None, "encodings": [number]})
    assert values({"a": one}, "digits", "1234567").values == ("2 tokens",)


@pytest.mark.parametrize("name", ["languages", "code", "numbers", "prose", "vocabulary"])
def test_a_missing_measure_gives_unknown_values(name):
    result = comparison({"a": measures(8), "b": measures(8, **{name: None})}, 1)
    assert len(result.rows) == len(comparison({"a": measures(8)}, 1).rows)
    assert any(row.values[1] is None for row in result.rows)


def test_special_tokens_are_counted_without_the_bytes_of_tokens():
    sequences = {"algorithm": "BPE", "n_vocab": 9, "special_tokens": 3, "groups": []}
    one = measures(8, vocabulary=None, sequences=sequences)
    assert values({"a": one}, "vocabulary", "special tokens").values == (3,)


def test_a_language_on_which_a_target_raises_is_unknown():
    one = measures(8, languages=[language("en", 4), language("my", None)])
    assert values({"a": one}, "fertility", "MY").values == (None,)
    assert values({"a": one}, "fertility", "mean of 1 language").values == (1.0,)


def test_means_cover_the_languages_that_all_targets_encode():
    both = [language("en", 8), language("de", 12)]
    one = measures(8, languages=[*both, language("my", None)])
    other = measures(4, languages=[*both, language("my", 80)])
    row = values({"a": one, "b": other}, "fertility", "mean of 2 languages")
    assert row.values == (2.5, 2.5)


def test_lossy_texts_have_no_cost():
    lost = [language("en", 1, lossless=False), language("my", 1, lossless=False)]
    two = {"a": measures(8, languages=lost), "b": measures(4)}
    row = values(two, "fertility", "MY")
    assert row.values == ("lossy", 4.0)
    assert row.best == set()
    assert values(two, "fertility", "mean of 2 languages").values == ("lossy", 2.5)
    assert values(two, "words that are one token", "all languages").values == ("lossy", 50.0)


def test_a_text_without_tokens_is_lossy():
    none = {"bytes": 80, "tokens": 0, "lossless": False, "words": 4, "single_token_words": 0}
    row = values({"a": measures(8, prose=none)}, "bytes per token", "English prose")
    assert row.values == ("lossy",)


def test_failing_texts_are_counted():
    rows = [language("en", 8), language("my", None), language("de", 8, lossless=False)]
    one = {"a": measures(8, languages=rows)}
    assert values(one, "failures in 5 texts", "not encoded").values == (1,)
    assert values(one, "failures in 5 texts", "lossy").values == (1,)


def test_a_value_is_rounded_only_when_it_is_formatted():
    one = measures(8, languages=[language("en", 180, english_words=37)])
    (value,) = values({"a": one}, "fertility", "EN").values
    assert format_value(value) == "4.86"


@pytest.mark.parametrize(
    ("row_values", "better", "best"),
    [
        ((1.0, 2.0, 1.0), "lower", {0, 2}),
        ((1.0, 2.0, None), "higher", {1}),
        ((2.0, 2.0), "lower", set()),
        ((1.0, 2.0), "", set()),
        (("x", "y"), "lower", set()),
    ],
)
def test_the_best_values_are_marked(row_values, better, best):
    assert Row("g", "n", "", row_values, better).best == best


@pytest.mark.parametrize(
    ("value", "formatted"),
    [
        (None, "unknown"),
        ("x", "x"),
        (1234.5, "1,234"),
        (5, "5"),
        (200_019, "200,019"),
        (3.0, "3.00"),
        (3.14159, "3.14"),
        (14.26, "14.3"),
    ],
)
def test_values_have_about_three_digits(value, formatted):
    assert format_value(value) == formatted
