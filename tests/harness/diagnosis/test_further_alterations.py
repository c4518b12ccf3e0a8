"""Further alterations are causes where no other one explains the ids."""

import re
from itertools import pairwise

import pytest
from planted._builders import vocabulary
from planted._tokenizer_files import altered, healthy
from planted.json_pre_tokenizers import RUNS

from tokharness_tokenizers.reference.merging import merge

CODE = "TOK201"
MOST = 700
"""Tokens of a small vocabulary."""

SPLIT = ("pre_tokenizer", "pretokenizers", 0, "pattern")


class Shown:
    """A library that shows no stage."""

    def __init__(self, tokenizer):
        self.encode, self.decode = tokenizer.encode_ordinary, tokenizer.decode


def other_pattern(pattern):
    return altered("class_borders", *SPLIT, to={"Regex": pattern})


@pytest.mark.parametrize("show", [Shown, lambda tokenizer: tokenizer])
def test_classes_that_are_not_cut_apart(check_texts, show):
    target = show(other_pattern(rf"[\r\n]+ +|{RUNS}"))
    texts = ("\n ", "\r\n ", "x1", "1s", "(s", "a b", "\n")
    (bug,) = check_texts(CODE, target, texts, reference=healthy("class_borders")).bugs
    assert str(bug.cause) == "pre-tokenizer: no border between line ends and U+0020 SPACE"
    assert not bug.cause.weak
    assert bug.count == 2


def test_a_long_text_has_the_cause_of_short_texts(check_texts):
    """Of a text with so many characters, only the cuts that explain other texts are tried."""
    reference = vocabulary()

    class Cut(Shown):
        """A library that cuts a word at each place behind 64 characters."""

        def __init__(self):
            super().__init__(reference)
            parts = re.compile(r"(?<=\w{64})(?=\w)").split
            self.encode = lambda text: [
                number for part in parts(text) for number in reference.encode_ordinary(part)
            ]

    long = " ".join(("hello1other2abcdefgijkmnpqsuvwxyz3" * 3)[:length] for length in range(40, 78))
    texts = ("hello1" * 12, "other22" * 12, long * 2)
    (bug,) = check_texts(CODE, Cut(), texts, reference=reference).bugs
    assert bug.count == len(texts)
    assert "each text is cut at each place behind 64 of" in str(bug.cause)


@pytest.mark.slow
def test_other_merges_are_no_border(check_texts):
    large = vocabulary()
    ranks = {token: rank for token, rank in large.ranks.items() if rank < MOST}
    tokenizer = type(large)("small", large.pattern, ranks)
    last_first = {token: -rank for token, rank in ranks.items()}

    class LastFirst(Shown):
        """A library that merges the pair of the highest rank first."""

        def __init__(self):
            super().__init__(tokenizer)
            self.encode = lambda text: [
                ranks[part]
                for word in tokenizer.pretokens(text)
                for part in merge(word.encode(), last_first)
            ]

    texts = ("internationalization", "Straightforward", "don't")
    bugs = check_texts(CODE, LastFirst(), texts, reference=tokenizer).bugs
    assert bugs
    assert not [bug for bug in bugs if bug.cause.kind == "pre-tokenizer"]


WORDS = "the hello and number time under make people first which words another between letters"


@pytest.mark.slow
def test_what_merges_have_by_chance_is_no_white_space(check_texts):
    """Merges stop at a pair without a token, so that two spaces before U+0085 stay two tokens."""
    reference = vocabulary()
    ranks = reference.ranks

    def merged(data):
        parts = [data[at : at + 1] for at in range(len(data))]
        while len(parts) > 1:
            pairs = [ranks.get(one + other) for one, other in pairwise(parts)]
            if None in pairs:
                break
            at = pairs.index(max(pairs))
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return [ranks[part] for part in parts]

    class StopsAtAPair(Shown):
        """A library that takes the largest rank, and infinity for a pair without a token."""

        def __init__(self):
            super().__init__(reference)
            self.encode = lambda text: [
                number for word in reference.pretokens(text) for number in merged(word.encode())
            ]

    texts = (*WORDS.split(), "\u3042", "words of a line", "  \x85")
    bugs = check_texts(CODE, StopsAtAPair(), texts, reference=reference).bugs
    assert bugs
    assert not [bug for bug in bugs if bug.cause.kind == "pre-tokenizer"]


@pytest.mark.parametrize("text", ["a1 ~name~", ""])
def test_a_text_with_an_added_token_has_no_other_borders(text):
    rows = healthy("added").encode_altered_further(text)
    assert "model" in {stage for stage, _, _ in rows}
    assert not any("border" in what for _, what, _ in rows)


def test_a_pre_tokenizer_that_keeps_the_text_has_other_borders():
    rows = healthy("class_borders").encode_altered_further("x1")
    assert "no border between lowercase letters and ASCII digits" in {what for _, what, _ in rows}
