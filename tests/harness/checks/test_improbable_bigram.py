"""TOK410: pairs of incomplete tokens between two scripts."""

import pytest
from planted._byte_tokens import bytes_and

CODE = "TOK410"


@pytest.fixture
def fact(check_texts):
    """Return the fact about a vocabulary of these tokens and single bytes; None if it has none."""

    def of(*tokens, ids=(256, 257)):
        target = bytes_and()
        every = [*(bytes([byte]) for byte in range(256)), *tokens]
        target.decode_single_token_bytes, target.n_vocab = every.__getitem__, len(every)
        target.encode = lambda text: ids if len(text) > 2 else list(text.encode())
        findings = check_texts(CODE, target)
        assert findings == findings.facts
        return findings[0] if findings else None

    return of


def test_a_pair_of_cyrillic_and_hebrew_that_the_target_gives_is_counted(
    fact,
):
    found = fact("\u0434".encode() + b"\xd7", b"\x9c" + "\u05e9".encode())
    assert (str(found.cause), found.count) == ("improbable bigrams", 1)
    assert found.text == "\u0434\u05dc\u05e9"
    assert found.evidence == {
        "pairs": 1,
        "tried": 1,
        "scripts": [
            {
                "scripts": "Cyrillic and Hebrew",
                "pairs": 1,
                "example": "\u0434\u05dc\u05e9",
                "its ids": [256, 257],
            }
        ],
    }


def test_a_pair_that_the_target_does_not_give_is_not_counted(fact):
    halves = "\u0434".encode() + b"\xd7", b"\x9c" + "\u05e9".encode()
    assert fact(*halves, ids=[0]) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("\u05e9", "\u05e9", id="one script"),
        pytest.param("a", "\u05e9", id="Latin"),
        pytest.param(" ", "\u05e9", id="no script"),
        pytest.param("", "\u05e9", id="no whole character"),
    ],
)
def test_a_pair_of_scripts_that_stand_together_is_not_counted(fact, first, second):
    assert fact(first.encode() + b"\xd7", b"\x9c" + second.encode()) is None


def test_kana_and_han_stand_together(fact):
    assert fact("\u306e".encode() + b"\xe5\xa4", b"\xa7" + "\u5b66".encode()) is None


def test_bytes_that_are_no_assigned_character_are_no_pair(fact):
    assert fact("\u0434".encode() + b"\xcd", b"\xb8" + "\u05e9".encode()) is None


def test_a_sample_of_many_pairs_is_encoded(fact, monkeypatch):
    monkeypatch.setattr("tokharness.checks.improbable_bigram.MOST_TRIED", 2)
    halves = [f"{letter}".encode() + b"\xd7" for letter in "\u0434\u0436\u0437"]
    found = fact(*halves, b"\x9c" + "\u05e9".encode(), ids=[256, 259])
    assert (found.evidence["pairs"], found.evidence["tried"], found.count) == (3, 2, 1)
