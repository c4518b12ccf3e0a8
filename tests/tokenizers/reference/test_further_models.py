"""Models that are asked last, where no planted fault shows them."""

import math

import pytest

from tokharness_tokenizers.reference.departing_models import MOST
from tokharness_tokenizers.reference.further_models import LONGEST_CUT, further_models
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import Unigram

SCORES = {"a": -1.004, "b": -1.0, "ab": -2.001, "c": -3e38, "": 0.0}
PIECES = list(SCORES.items())
IDS = {text: number for number, text in enumerate(SCORES)}
SCORED = {
    "unigram": Unigram(PIECES, 4),
    "sentencepiece unigram": SentencePieceUnigram(IDS, SCORES),
    "sentencepiece bpe": SentencePieceBPE(IDS, list(SCORES.values())),
    "pieces": Pieces(Unigram(PIECES, 4), IDS),
}


def scores_of(model):
    if isinstance(model, Pieces):
        return scores_of(model.model)
    if isinstance(model, Unigram):
        return [model.score_of_piece(text) for text in SCORES]
    return list(model.piece_scores.values() if hasattr(model, "piece_scores") else model.scores)


@pytest.mark.parametrize("model", SCORED.values(), ids=SCORED)
def test_scores_are_rounded(model):
    rounded = {what: scores_of(one) for what, one in further_models(model)}
    assert rounded["scores have no decimals"][:3] == [-1, -1, -2]
    assert rounded["scores have two decimals"][:3] == [-1.0, -1.0, -2.0]
    in_16_bits = rounded["scores have 16 bits"]
    assert in_16_bits[:2] == [-1.00390625, -1.0]
    assert in_16_bits[3] == -3e38  # more than they hold
    assert rounded["scores have the 16 bits of bfloat16"][:3] == [-1.0, -1.0, -2.0]
    assert rounded["scores are cut to integers"][:3] == [-1, -1, -2]
    assert rounded["scores are cut to two decimals"][:3] == [-1.0, -1.0, -2.0]
    assert rounded["scores are rounded down to one decimal"][:3] == [-1.1, -1.0, -2.1]


@pytest.mark.parametrize("model", SCORED.values(), ids=SCORED)
def test_scores_are_negated_or_lost_or_probabilities(model):
    changed = {what: scores_of(one) for what, one in further_models(model)}
    assert changed["scores are negated"][:3] == [1.004, 1.0, 2.001]
    assert changed["scores are probabilities"][:2] == [math.exp(-1.004), math.exp(-1)]
    assert changed["scores are probabilities"][3] == 0
    assert {*changed["all scores are equal"]} <= {0.0, None}
    assert {*changed["the fewest pieces count"]} <= {-1.0, None}


def test_the_unknown_score_is_below_the_changed_scores():
    changed = dict(further_models(SentencePieceUnigram(IDS, {"a": -2.0, "b": -1.0, "user": 0.3})))
    negated = changed["scores are negated"]
    assert (negated.piece_scores["user"], negated.unknown_score) == (0.3, -9.0)
    assert (
        dict(further_models(Unigram([("a", -2.0), ("b", -1.0)], 0)))[
            "scores are negated"
        ].unknown_score
        == -9.0
    )


def test_a_list_of_merges_is_sorted_or_completed():
    ids = {text: number for number, text in enumerate(("a", "b", "c", "bc", "ab", "abc", "\u4e2d"))}
    model = BPE(ids, [("b", "c"), ("a", "b")])
    models = dict(further_models(model))
    assert [number for number, _ in model.tokens("abc")] == [0, 3]
    assert [n for n, _ in models["the merges are sorted"].tokens("abc")] == [4, 2]
    further = models["tokens without a merge are merged, too"]
    assert further.merges[2:] == [("a", "bc"), ("ab", "c")]
    assert [number for number, _ in further.tokens("abc")] == [5]


LISTED = {
    "each token has one merge: its left part comes first": ["abc"],
    "each token has one merge: its left part is the longest": ["abc"],
    "each token has one merge: its left part is the shortest": ["ab", "c"],
}


@pytest.mark.parametrize(("what", "pieces"), LISTED.items())
def test_pieces_are_merged_by_a_list_that_a_conversion_made(what, pieces):
    texts = ("ab", "a", "b", "c", "bc", "abc", "x")
    scores = (-1.0, -9.0, -9.0, -9.0, -2.0, -3.0, -9.0)
    model = SentencePieceBPE({text: number for number, text in enumerate(texts)}, scores)
    found = [number for number, _ in model.tokens("abc")]
    assert [texts[n] for n in found] == ["abc"]
    listed = dict(further_models(model))[what]
    assert [texts[n] for n, _ in listed.tokens("abc")] == pieces
    with pytest.raises(KeyError, match=f"more than {MOST} characters"):
        listed.tokens("a" * (MOST + 1))


def test_a_list_of_pieces_is_sorted():
    texts = ("bc", "ab", "a", "b", "c")
    model = SentencePieceBPE({text: number for number, text in enumerate(texts)}, range(0, -5, -1))
    assert model.tokens("abc") == [(2, 1), (0, 2)]
    assert dict(further_models(model))["the merges are sorted"].tokens("abc") == [(1, 2), (4, 1)]


def test_tokens_are_merged_in_the_order_of_their_bytes():
    texts = ("c", "ab", "a", "b", "bc", "ca")
    model = SentencePieceBPE({text: number for number, text in enumerate(texts)}, range(-5, 1))
    other = dict(further_models(model))["tokens are merged in the order of their bytes"]
    assert [texts[number] for number, _ in model.tokens("cabc")] == ["ca", "bc"]
    assert [texts[number] for number, _ in other.tokens("cabc")] == ["c", "ab", "c"]


def test_a_complete_list_has_no_further_merges():
    model = BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])
    assert [what for what, _ in further_models(model)] == ["the merges are sorted"]


def test_the_fewest_tokens():
    ids = {b"a": 0, b"b": 1, b"ab": 2, b"abb": 3, b"bba": 4, b"": 5}
    model = ByteTrie(ids)
    ((what, fewest),) = further_models(model)
    assert what == "the fewest tokens count"
    assert model.encode(b"abba") == [3, 0]
    assert fewest.encode(b"abba") in ([0, 4], [3, 0])
    assert model.encode(b"ababba") == [2, 3, 0]
    assert len(fewest.encode(b"aabba")) == 3
    for data in (b"c", b"a" * (LONGEST_CUT + 1)):
        with pytest.raises(KeyError):
            fewest.encode(data)
