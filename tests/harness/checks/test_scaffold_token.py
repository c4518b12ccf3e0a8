"""TOK409: tokens that only the next token uses."""

import pytest

from tokharness_tokenizers.faulty._byte_tokens import bytes_and

CODE = "TOK409"


@pytest.fixture
def found(check_texts):
    """Return each token that is reported, with the token that uses it."""

    def of(*texts):
        findings = check_texts(CODE, bytes_and(*texts))
        assert len(findings) <= 1
        rows = [row for one in findings.risks for row in one.evidence["examples"]]
        return {row["token"]: row["inside of"] for row in rows}

    return of


def test_a_token_that_only_the_next_one_uses_is_a_risk(found):
    assert found("ab", "cd", "abcd", "abx") == {"cd": "abcd"}


def test_tokens_that_two_others_use_are_not_reported(found):
    assert found("ab", "abc", "abd", "xab") == {}


def test_a_token_that_longer_ones_hold_only_in_its_user_is_reported(found):
    assert found("ab", "abc", "abcd", "xabc") == {"ab": "abc"}


@pytest.mark.parametrize(
    ("between", "expected"),
    [(9, {"ab": "abc"}), (10, {})],
)
def test_the_user_is_made_within_ten_tokens(found, between, expected):
    others = [f"{letter}{letter.upper()}" for letter in "mnopqrstuv"[:between]]
    assert found("ab", *others, "abc") == expected


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("ab", " ab"),  # a word at the start of a line has no space
        ("==", "==="),  # a run of one character
        ("a", "ab"),  # a character
        ("ab", "xaby"),  # not a token and another one
        ("\u00e9\u00e9", "x\u00e9\u00e9y"),
    ],
)
def test_other_parts_of_tokens_are_not_reported(found, text, longer):
    assert found(text, longer) == {}


def test_parts_of_characters_are_not_reported(check_texts):
    target = bytes_and()
    tokens = [*(bytes([byte]) for byte in range(256)), b"\xe4\xbd", b"\xe4\xbd\xa0"]
    target.decode_single_token_bytes, target.n_vocab = tokens.__getitem__, len(tokens)
    assert check_texts(CODE, target) == []


def test_nothing_is_reported_if_ids_are_not_in_the_order_of_merges(found):
    assert found("ab", "abc", *("what is not merged", "nor is this", "or that")) == {}


def test_the_finding_counts_tokens_and_names_the_longest(check_texts):
    (risk,) = check_texts(CODE, bytes_and("ab", "abc", "abcd")).risks
    assert (str(risk.cause), risk.count, risk.text) == ("scaffold tokens", 2, "abc")
    assert risk.evidence["ids"] == [256, 257]
    assert risk.evidence["tokens"] == 259
