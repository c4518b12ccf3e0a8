"""Training of a Unigram model from the seeds to the final vocabulary."""

from __future__ import annotations

import math

import pytest

from tokharness_tokenizers.reference.sentencepiece_training import PieceRules, Words
from tokharness_tokenizers.reference.unigram_training.expectation import expected_counts
from tokharness_tokenizers.reference.unigram_training.training import learn_pieces

FOLLOWED = {"\u2581hug": 10, "\u2581pug": 5, "\u2581hugs": 5, "\u2581hugging": 3}
LAST = {"\u2581pun": 12, "\u2581bun": 4, "\u2581huge": 2, "\u2581q": 1}
ALPHABET = tuple("u\u2581gnphsbieq")
WORDS = Words(FOLLOWED, LAST, ALPHABET)


@pytest.mark.parametrize("size", [11, 12, 15, 99])
def test_there_are_no_more_pieces_than_wanted_and_the_alphabet_is_among_them(size: int) -> None:
    pieces = learn_pieces(WORDS, PieceRules(), size)
    assert set(ALPHABET) <= set(pieces)
    assert len(pieces) <= size


def test_pieces_are_in_the_order_of_their_scores() -> None:
    scores = list(learn_pieces(WORDS, PieceRules(), 15).values())
    assert scores == sorted(scores, reverse=True)


def test_a_larger_vocabulary_makes_the_words_more_likely() -> None:
    likelihoods = [
        expected_counts(WORDS.counts(), learn_pieces(WORDS, PieceRules(), size))[1]
        for size in (11, 13, 16)
    ]
    assert likelihoods == sorted(likelihoods)
    assert likelihoods[0] < likelihoods[-1]


def test_rarer_characters_that_were_dropped_score_less() -> None:
    words = Words({"\u2581xyxyz": 50}, {"\u2581xyxyz": 50}, tuple("\u2581xyz"))
    pieces = learn_pieces(words, PieceRules(), 9)
    assert pieces["x"] >= pieces["y"] >= pieces["z"]


def test_unknown_characters_are_no_pieces() -> None:
    words = Words({"\u2581ab\u2585": 9}, {"\u2581ab": 9}, tuple("\u2581ab"))
    assert all("\u2585" not in piece for piece in learn_pieces(words, PieceRules(), 20))


def test_scores_are_logarithms_of_probabilities() -> None:
    pieces = learn_pieces(WORDS, PieceRules(), 99)
    assert 0.8 < sum(map(math.exp, pieces.values())) <= 1.01


def test_progress_ascends_to_the_size_at_most() -> None:
    seen: list[int] = []
    learn_pieces(WORDS, PieceRules(), 11, progress=seen.append)
    assert seen == sorted(seen)
    assert all(0 <= number <= 11 for number in seen)
