"""The family of a target's own tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.model import TargetFacts
from tokharness_cases import vocabulary_tokens

PROFILES = ("quick", "standard", "thorough")
TOKENS = (*(f" word{number}" for number in range(2_500)), " ", "\n", "\t\t")


def facts(profile, tokens=TOKENS):
    return TargetFacts(profile=profile, tokens=lambda: tokens)


def texts(profile, tokens=TOKENS):
    return vocabulary_tokens.texts(facts(profile, tokens))


@pytest.mark.parametrize("profile", PROFILES)
def test_texts_are_those_of_the_cases_in_any_slice(profile):
    made = texts(profile)
    listed = [case.text for case in vocabulary_tokens.cases(facts(profile))]
    assert list(made) == listed == [made[place] for place in range(len(made))]
    parts = [made[start : start + 97] for start in range(0, len(made), 97)]
    assert [text for part in parts for text in part] == listed


@pytest.mark.parametrize("profile", PROFILES)
def test_without_tokens_there_are_no_texts(profile):
    assert list(texts(profile, ())) == []
    assert len(texts(profile, ())) == 0


@pytest.mark.parametrize("profile", ["quick", "standard"])
def test_every_token_is_between_white_space_but_those_of_white_space_alone(profile):
    joined = "".join(texts(profile))
    assert all(f"\n{token} " in joined for token in TOKENS if not token.isspace())
    assert {" ", "\n", "\t\t"} <= set(texts(profile))


def test_a_quick_run_has_every_token_once_and_few_texts():
    made = texts("quick")
    assert sum(text.count("word") for text in made) == 2_500
    assert len(made) < 2_500 / 10


@pytest.mark.slow
def test_a_standard_run_has_a_sixth_of_the_tokens_in_each_other_context():
    made = texts("standard")
    assert sum(text in TOKENS for text in made) > 400
    for context in ("a{}b ", "1{}2 ", " {} \n", "{0}{0} "):
        assert sum(context.format(token) in text for text in made for token in TOKENS) > 400


def test_a_thorough_run_has_every_token_in_each_context():
    made = set(texts("thorough"))
    assert made >= {f"{before}{t}{after}" for t in TOKENS for before, after in ["ab", "12", "  "]}
    assert made >= {token * 2 for token in TOKENS} | set(TOKENS)


@pytest.mark.slow
@given(st.data())
def test_random_texts_are_of_tokens_if_they_are_known(data):
    text = data.draw(vocabulary_tokens.strategy(facts("quick", ("\u4e2d",))))
    assert "\u4e2d" in text
    assert data.draw(vocabulary_tokens.strategy())
