"""Tokens that move, are renamed, come and go: the edits name them, and lead to the new file."""

import random

import pytest

from tokharness.edits import edits_between
from tokharness.model import Description, TokenEntry

TOKENS = tuple("abcdefgh")


def described(tokens):
    rows = (TokenEntry(at, token) for at, token in enumerate(tokens))
    return Description("tokenizer.json", {"model": {"type": "WordPiece"}}, tuple(rows))


def made(old, new):
    """Return the file after all edits between two files, and the sentences of the edits."""
    edits = edits_between(old, new)
    for edit in edits:
        old = edit.apply(old)
    return old, [edit.what for edit in edits]


@pytest.mark.parametrize(
    ("tokens", "sentences"),
    [
        ("acdefbgh", ["token 'b' has id 5, was 1"]),
        ("afbcdegh", ["token 'f' has id 1, was 5"]),
        ("cdefabgh", ["token 'a' has id 4, was 0", "token 'b' has id 5, was 1"]),
        ("bdefgahc", ["token 'a' has id 5, was 0", "token 'c' has id 7, was 2"]),
        (
            "adefbh",
            ["token 'c' (id 2) is gone", "token 'g' (id 6) is gone", "token 'b' has id 4, was 1"],
        ),
        ("axcdefgh", ["id 1 is 'x', was 'b'"]),
        ("xcdefbgh", ["id 0 is 'x', was 'a'", "token 'b' has id 5, was 1"]),
        # "x" has the id of "d", and stands behind "e": it is no other name of "d".
        (
            "acexfgh",
            ["token 'b' (id 1) is gone", "token 'd' (id 3) is gone", "token 'x' is new, as id 3"],
        ),
    ],
)
def test_each_moved_or_renamed_token_is_one_edit(tokens, sentences):
    old, new = described(TOKENS), described(tokens)
    reached, found = made(old, new)
    assert reached == new
    assert found == sentences


def test_random_edits_lead_to_the_new_file():
    drawn = random.Random(7)
    for _ in range(400):
        tokens = list(TOKENS)
        for number in range(drawn.choice((1, 2, 2, 3))):
            at, to = drawn.randrange(len(tokens)), drawn.randrange(len(tokens))
            kind = drawn.choice(("move", "move", "gone", "new", "exchange", "rename"))
            if kind == "move":
                tokens.insert(to, tokens.pop(at))
            elif kind == "gone":
                del tokens[at]
            elif kind == "new":
                tokens.insert(to, f"new{number}")
            elif kind == "exchange":
                tokens[at], tokens[to] = tokens[to], tokens[at]
            else:
                tokens[at] = f"name{number}"
        new = described(tokens)
        reached, sentences = made(described(TOKENS), new)
        assert reached == new, (tokens, sentences)
