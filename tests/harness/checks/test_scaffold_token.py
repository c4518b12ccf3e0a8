"""TOK409: tokens that only the next token uses."""

from itertools import product

import pytest
from planted import unused_tokens
from planted._byte_tokens import bytes_and

from tokharness.checks.scaffold_token import scaffolds

CODE = "TOK409"
BEFORE = ["".join(pair) for pair in product(map(chr, range(0x4E00, 0x4E00 + 100)), repeat=2)]
"""Ten thousand tokens that nothing else has, each of which is two characters."""


LETTERS = [*" =abcdxyz"]


def found(*texts, before=10_000):
    """Return each scaffold among some tokens, with the token that uses it."""
    tokens = [*LETTERS, *BEFORE[: before - len(LETTERS)], *texts]
    return {one.text: one.user_text for one in scaffolds(dict(enumerate(tokens)))}


def test_a_token_that_only_the_next_one_uses_is_found():
    assert found("ab", "cd", "abcd", "abx") == {"cd": "abcd"}


def test_tokens_that_two_others_use_are_not_found():
    assert found("ab", "abc", "abd", "xab") == {}


def test_a_token_that_longer_ones_hold_only_in_its_user_is_found():
    assert found("ab", "abc", "abcd", "xabc") == {"ab": "abc"}


@pytest.mark.parametrize(
    ("between", "before", "expected"),
    [
        pytest.param(9, 10_000, {"ab": "abc"}, id="ten tokens"),
        pytest.param(10, 10_000, {}, id="eleven tokens"),
        pytest.param(1, 2000, {"ab": "abc"}, id="one in a thousand"),
        pytest.param(1, 1999, {}, id="more than one in a thousand"),
        pytest.param(0, 999, {}, id="the next token of a small vocabulary"),
    ],
)
def test_the_user_is_made_right_after_the_token(between, before, expected):
    others = [f"{letter}{letter.upper()}" for letter in "mnopqrstuv"[:between]]
    assert found("ab", *others, "abc", before=before) == expected


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("ab", " ab"),  # a word at the start of a line has no space
        ("==", "==="),  # a run of one character
        ("a", "ab"),  # a character
        ("ab", "xaby"),  # not a token and another one
        ("\ufffda", "\ufffdab"),  # a part of a character
    ],
)
def test_other_parts_of_tokens_are_not_found(text, longer):
    assert found(text, longer) == {}


def test_nothing_is_found_if_ids_are_not_in_the_order_of_merges():
    others = [f"{number} letters of a word, {number}" for number in range(500)]
    assert found(*others, "ab", "abc") == {}


def test_the_risk_counts_tokens_and_names_the_shortest_and_the_longest(check_texts):
    (risk,) = check_texts(CODE, unused_tokens.has_a_token_that_only_the_next_one_uses())
    assert (risk.verdict, str(risk.cause), risk.count) == ("risk", "scaffold tokens", 8)
    assert risk.text == " Th"
    assert "for example id 1,164 for id 1,165" in risk.message
    assert risk.evidence["ids"] == list(range(1157, 1165))
    assert risk.evidence["examples"][0]["inside of"] == " The"


def test_a_vocabulary_without_the_planted_tokens_has_no_finding(check_texts):
    assert check_texts(CODE, bytes_and(*unused_tokens.ENOUGH, " T", " Th", " Ti")) == []
