"""Pruning of a Unigram model."""

from __future__ import annotations

from tokharness_tokenizers.reference.unigram_training.training import (
    other_ways,
    prune,
    reachable,
)

SCORES = {"a": -2.0, "b": -3.0, "ab": -4.0, "aa": -4.5, "abab": -9.0, "ba": -2.5}


def test_the_best_other_way_leaves_out_the_piece_itself() -> None:
    found = dict(zip(SCORES, other_ways(SCORES, SCORES), strict=True))
    assert found == {
        "a": ([], float("-inf")),
        "b": ([], float("-inf")),
        "ab": (["a", "b"], -5.0),
        "aa": (["a", "a"], -4.0),
        "abab": (["a", "ba", "b"], -7.5),
        "ba": (["b", "a"], -5.0),
    }


def test_a_character_that_is_no_piece_may_be_part_of_the_other_way() -> None:
    assert list(other_ways(["xa"], {"a": -2.0, "xa": -1.0})) == [(["x", "a"], -14.0)]


def test_a_piece_that_another_way_beats_is_not_reachable() -> None:
    assert list(reachable(SCORES)) == ["a", "b", "ab", "ba"]


def test_pieces_without_a_place_and_those_that_are_never_best_are_dropped() -> None:
    counts = {"a": 5, "b": 5, "ab": 9, "aa": 9, "abab": 9, "ba": 0}
    assert list(prune(SCORES, counts, 9)) == ["a", "b", "ab"]


def test_the_pieces_with_the_greatest_losses_stay() -> None:
    counts = {"a": 50, "b": 50, "ab": 1, "ba": 30}
    assert list(prune(SCORES, counts, 3)) == ["a", "b", "ba"]


def test_characters_stay_even_if_they_are_too_many() -> None:
    assert list(prune(SCORES, {"a": 1, "b": 1, "ab": 9}, 1)) == ["a", "b"]
