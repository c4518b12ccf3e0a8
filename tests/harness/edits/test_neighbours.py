"""Texts in which a token of an edit competes with another token for the same characters."""

from tokharness.edits import Edit
from tokharness.edits.neighbours import neighbours_of
from tokharness.model import Description, TokenEntry

STAGES = {"added tokens": [], "model": {"type": "unigram"}}


def neighbours(token, tokens, merges=None):
    rows = tuple(TokenEntry(place, one, 0.0) for place, one in enumerate(tokens))
    file = Description("SentencePiece", STAGES, rows, merges)
    edit = Edit("model", "a score", lambda description: description, (token,))
    return neighbours_of([edit], file, file)[token]


def test_a_token_stands_before_the_rest_of_a_token_that_begins_with_its_end():
    assert "takenan" in neighbours("taken", ["taken", "nan"])


def test_a_token_stands_behind_the_rest_of_a_token_that_ends_with_its_beginning():
    assert " takenan" in neighbours("nan", ["\u2581taken", "nan"])


def test_longer_overlaps_come_first_and_short_rests_are_not_left_out():
    many = [f"kenn{place}" for place in range(200)]
    found = neighbours("taken", ["taken", *many, "n", "nx"])
    assert "takenn0" in found
    assert "takenx" in found
    assert len(found) < len(many)


def test_with_merges_the_texts_are_those_of_merges_that_overlap():
    merges = (("t", "a"), ("a", "k"))
    assert "tak" in neighbours("ta", ["t", "a", "k", "ta", "ak"], merges)
