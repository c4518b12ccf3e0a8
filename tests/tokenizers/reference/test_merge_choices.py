"""Ports that choose the pair to merge next in another way, or end a loop too early."""

from operator import add

import pytest

from tokharness_tokenizers.reference.byte_bpe_alterations import WAYS_TO_MERGE
from tokharness_tokenizers.reference.departing_models import departing_models
from tokharness_tokenizers.reference.merge_choices import CHOICES, merged_by
from tokharness_tokenizers.reference.models.bpe import BPE

RANKS = {"ab": 0, "bc": 1, "cd": 2, "aa": 3}


@pytest.mark.parametrize(
    ("what", "text", "tokens"),
    [
        ("the rightmost of equal pairs is merged first", "aaa", "a aa"),
        ("the pair with the highest rank is merged first", "abcd", "ab cd"),
        ("the pair with the highest rank is merged first", "abc", "a bc"),
        ("the first pair of a pre-token is not merged", "abc", "a bc"),
        ("the last pair of a pre-token is not merged", "cab", "c a b"),
        ("the last two tokens of a pre-token are not merged", "ab", "a b"),
        ("the last two tokens of a pre-token are not merged", "abx", "ab x"),
    ],
)
def test_another_pair_is_chosen(what, text, tokens):
    assert merged_by(CHOICES[what], [*text], lambda a, b: RANKS.get(a + b), add) == tokens.split()


@pytest.mark.parametrize("what", CHOICES)
def test_characters_are_merged_by_each_choice_as_bytes_are(what):
    letters = dict(zip("abcdx", range(5), strict=True))
    merges = [(pair[0], pair[1]) for pair in RANKS]
    ids = letters | {pair: 5 + rank for pair, rank in RANKS.items()}
    ranks = {token.encode(): number for token, number in ids.items()}
    of_bytes = WAYS_TO_MERGE[f"{what}, as in a pre-token that is a token"]
    of_characters = dict(departing_models(BPE(ids, merges)))[what]
    for text in ("aaa", "abcd", "cab", "ab", "xbcd"):
        assert of_bytes(text.encode(), ranks) == [n for n, _ in of_characters.tokens(text)], text


def test_a_pre_token_that_is_a_token_needs_no_merge():
    ranks = {b"a": 0, b"b": 1, b"ab": 2}
    what = "the last pair of a pre-token is not merged"
    assert WAYS_TO_MERGE[what](b"ab", ranks) == [2]
    assert WAYS_TO_MERGE[f"{what}, as in a pre-token that is a token"](b"ab", ranks) == [0, 1]
