"""A comparison of targets: its values, the best of them, and unknown values."""

import pytest

from tokharness.diagnosis.costs.lost_text import LINES, what_is_lost
from tokharness.results.comparison import Row, comparison, format_value
from tokharness.results.language_costs import CAVEAT


def language(code, tokens, english_words=4, **fields):
    common = {
        "name": code.upper(),
        "script": "Latin",
        "bytes": 40,
        "words": 4,
        "single_token_words": 2,
        "english_words": english_words,
        "english_tokens": 4,
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
    row = values({"a": measures(8), "b": measures(4)}, "fertility", "mean of 2 languages")
    assert row.values == (5.0, 2.5)


def test_the_cost_of_a_language_by_names_is_a_band():
    two = {"a": measures(8), "b": measures(2)}
    row = values(two, "cost of languages", "MY")
    assert (row.values, row.unit) == (("over 5", "up to 2"), "times English")
    assert values(two, "languages by cost", "up to 2").values == (1, 1)
    assert comparison(two, 1).notes == (CAVEAT,)


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
    assert values({"a": one}, "cost of languages", "MY").values == (None,)
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
    row = values(two, "cost of languages", "MY")
    assert row.values == ("lossy", "up to 5")
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
    (value,) = values({"a": one}, "fertility", "mean of 1 language").values
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


def premium(code, value, **fields):
    return {"code": code, "name": code, "tokens": 8, "premium": value, "lossless": True, **fields}


def parallel(*rows, left_out=()):
    return {
        "source": "mine",
        "lines": 3,
        "languages": [premium("en", 1.0), *rows],
        "left_out": left_out,
    }


def test_a_parallel_text_has_a_row_for_its_median_and_each_language_the_most_expensive_first():
    a = measures(8, parallel=parallel(premium("my", 4.0), premium("fr", 1.5)))
    b = measures(8, parallel=parallel(premium("my", 2.0), premium("fr", 1.25)))
    result = comparison({"a": a, "b": b, "c": measures(8)}, 1)
    rows = [row for row in result.rows if row.group == "cost of languages in mine"]
    assert [(row.name, row.values) for row in rows] == [
        ("median of 2 languages", (2.75, 1.625, None)),
        ("my", (4.0, 2.0, None)),
        ("fr", (1.5, 1.25, None)),
        ("en", (1.0, 1.0, None)),
    ]
    assert rows[0].best == {1}


def test_a_parallel_text_that_was_changed_has_a_marked_premium_and_a_lost_one_has_none():
    changed, lost = premium("ru", 1.5, lossless=False), premium("zh", None, lossless=False)
    raised = premium("he", None, tokens=None)
    one = {"a": measures(8, parallel=parallel(changed, lost, raised))}
    rows = {row.name: row.values for row in comparison(one, 1).rows if "mine" in row.group}
    assert (rows["ru"], rows["zh"], rows["he"]) == (("1.50 lossy",), ("lossy",), (None,))


def test_the_median_is_that_of_the_languages_that_all_targets_encode():
    all_three = premium("my", 4.0), premium("fr", 1.5), premium("ru", 2.0)
    a = measures(8, parallel=parallel(*all_three))
    b = measures(8, parallel=parallel(*all_three[:2], premium("ru", None)))
    loses_most = measures(8, parallel=parallel(premium("fr", 1.0), premium("ru", None)))
    row = values(
        {"a": a, "b": b, "c": loses_most}, "cost of languages in mine", "median of 2 languages"
    )
    assert row.values == (2.75, 2.75, "lossy")


def test_a_note_names_the_languages_that_a_parallel_text_lacks():
    one = parallel(premium("my", 4.0), left_out=[{"code": "fr", "reason": "it has 2 lines"}])
    *_, note = comparison({"a": measures(8, parallel=one)}, 1).notes
    assert note == "Parallel text mine: 3 lines in 2 languages; left out: fr."


def test_what_a_target_loses_is_said_and_forms_leave_a_cost():
    lost = {"lossless": False, "lost": ["case"]}
    b = measures(8)
    b["prose"] = {**b["prose"], **lost}
    b["code"] = [{**b["code"][0], **lost}]
    c = measures(8)
    c["prose"] = {**c["prose"], "lossless": False, "lost": ["case", "characters x"]}
    targets = {"a": measures(8), "b": b, "c": c}
    row = values(targets, "bytes per token", "English prose")
    assert row.values == (10.0, "10.0 lossy", "lossy")
    assert values(targets, "bytes per token", "source code").values[1] == "12.5 lossy"
    first, second, _ = comparison(targets, 1).notes
    assert first == "b loses case of English prose; case of source code."
    assert second == "c loses case, characters x of English prose."


@pytest.mark.parametrize(
    ("text", "decoded", "lost"),
    [
        ("A b", "A b", []),
        ("a\n\nb\n", "a b", [LINES]),
        ("\u2460 \uff21", "1 A", ["forms under NFKC"]),
        ("A  b", "a b", [LINES, "case"]),
        ("a b", "ab", ["places of spaces"]),
        ("It's caf\u00e9", "it ' s cafe", ["places of spaces", "case", "accents"]),
        ("a1\u4e2d", "a", ['characters "1", U+4E2D CJK UNIFIED IDEOGRAPH-4E2D']),
        ("A\n12345", "a", [LINES, "case", 'characters "1", "2", "3", "4" and 1 more']),
        ("ab", "aab", ["characters in some places"]),
    ],
)
def test_what_is_lost_is_the_fewest_kinds_that_explain_it(text, decoded, lost):
    assert what_is_lost(text, decoded) == lost
