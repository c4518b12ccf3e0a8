"""The costs of languages in short: the median and the worst, as far as the data can bear it."""

import pytest

from tokharness.results.language_costs import BANDS, band_of, language_costs


def name_row(code, tokens, **fields):
    row = {"code": code, "name": code.upper(), "tokens": tokens, "english_tokens": 100}
    return {**row, "lossless": True, **fields}


def parallel(*premiums):
    rows = [{"code": f"x{at}", "name": f"X{at}", "premium": p} for at, p in enumerate(premiums)]
    english = {"code": "en", "name": "English", "premium": 1.0}
    return {"source": "flores", "languages": [english, *rows]}


@pytest.mark.parametrize(
    ("tokens", "band"),
    [(80, "up to 1.5"), (150, "up to 1.5"), (151, "up to 2"), (300, "up to 3"), (501, "over 5")],
)
def test_a_band_has_its_upper_limit(tokens, band):
    assert band_of(name_row("xx", tokens)) == band
    assert band in BANDS


@pytest.mark.parametrize(
    "fields",
    [{"tokens": None}, {"english_tokens": None}, {"english_tokens": 0}, {"lossless": False}],
)
def test_a_text_that_is_not_encoded_or_lost_has_no_band(fields):
    assert band_of({**name_row("xx", 200), **fields}) is None


def test_costs_by_names_are_bands():
    rows = [name_row("en", 100), *(name_row(f"x{at}", 100 * at) for at in range(1, 8))]
    costs = language_costs({"languages": [*rows, name_row("yy", None)]})
    assert costs.is_estimate
    assert costs.shown_median == "up to 5 times"
    assert [(one.name, one.shown) for one in costs.worst] == [
        ("X7", "over 5 times"),
        ("X6", "over 5 times"),
        ("X5", "up to 5 times"),
        ("X4", "up to 5 times"),
        ("X3", "up to 3 times"),
    ]
    assert (len(costs.languages), costs.not_measured) == (7, 1)


def test_costs_in_a_parallel_text_have_two_decimals_and_come_first():
    measures = {"parallel": parallel(1.5, 2.25, None), "languages": [name_row("fr", 900)]}
    costs = language_costs(measures)
    assert (costs.source, costs.is_estimate) == ("flores", False)
    assert (costs.median, costs.shown_median) == (1.875, "1.88 times")
    assert [(one.code, one.shown) for one in costs.worst] == [
        ("x1", "2.25 times"),
        ("x0", "1.50 times"),
    ]
    assert costs.not_measured == 1


@pytest.mark.parametrize(
    "measures",
    [{}, {"languages": None}, {"languages": [name_row("en", 9)]}, {"parallel": parallel(None)}],
)
def test_without_a_measured_language_there_are_no_costs(measures):
    assert language_costs(measures) is None
