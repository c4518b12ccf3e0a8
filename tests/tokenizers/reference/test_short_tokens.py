"""Ports that find no token above a length."""

import pytest

from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.short_tokens import LONGEST_TEXT, short_tokens

TEXTS = ["a", "b", "ab", "abb"]
IDS = {text: number for number, text in enumerate(TEXTS)}
OF_BYTES = ByteTrie({text.encode(): number for text, number in IDS.items()})


@pytest.mark.parametrize(
    ("model", "what"),
    [
        (OF_BYTES, "no token of {} bytes or more is found"),
        (
            Unigram([("a", -5.0), ("b", -5.0), ("ab", -2.0), ("abb", -1.0)]),
            "no piece of {} characters or more is found",
        ),
        (WordPiece(IDS, prefix=""), "no piece of {} characters or more is found"),
    ],
    ids=["bytes", "unigram", "wordpiece"],
)
def test_no_token_above_a_length_is_found(model, what):
    models = list(short_tokens(model))
    assert [said for said, _ in models] == [what.format(3), what.format(2)]
    assert [[number for number, _ in one.tokens("abb")] for _, one in models] == [[2, 1], [0, 1, 1]]


def test_limits_between_two_lengths_of_tokens_are_one():
    ids = {"a" * 70: 0, "a" * 20: 1, "a": 2}
    said = [what for what, _ in short_tokens(WordPiece(ids, prefix=""))]
    assert said == [f"no piece of {length} characters or more is found" for length in (70, 20)]


def test_a_long_text_is_not_encoded_with_each_limit():
    (_, limited), *_ = short_tokens(OF_BYTES)
    with pytest.raises(KeyError, match="more than 2,000 bytes"):
        limited.encode(b"a" * (LONGEST_TEXT + 1))
