"""Tokens that an audit names, joined with how often a corpus has them."""

from tokharness.model import TokenRow
from tokharness.scanning.summary import RESIDUES, token_classes

ROWS = [
    TokenRow(0, bytes=b"t", classes=("TOK401 merge orphans",)),
    TokenRow(1, bytes=b"th", classes=("TOK401 merge orphans", "TOK408 HTML")),
    TokenRow(2, bytes=b"the"),
    TokenRow(3, bytes=b"\xf0\x9f", classes=("TOK401 merge orphans",)),
    TokenRow(4, kind="special", text="<s>"),
]
COUNTS = {2: 500, 3: 7}


def classes_of(counts, *, is_whole=True):
    return {row.pop("name"): row for row in token_classes(ROWS, counts, is_whole=is_whole)}


def test_each_class_says_which_tokens_occur():
    found = classes_of(COUNTS)
    assert found["TOK401 merge orphans"] == {
        "tokens": 3,
        "occurring": 1,
        "occurrences": 7,
        "examples": [{"id": 3, "text": "f09f", "is_hex": True, "count": 7}],
    }
    assert found["TOK408 HTML"] == {
        "tokens": 1,
        "occurring": 0,
        "occurrences": 0,
        "examples": [],
    }


def test_a_token_that_occurs_only_inside_longer_ones_is_a_residue_of_a_large_whole_corpus():
    residue = [{"id": 1, "text": "th", "is_hex": False, "count": 500}]
    assert classes_of(COUNTS)[RESIDUES]["examples"] == residue
    assert RESIDUES not in classes_of({2: 30}), "too few tokens"
    assert RESIDUES not in classes_of(COUNTS, is_whole=False)
    assert RESIDUES not in classes_of({**COUNTS, 1: 1})
