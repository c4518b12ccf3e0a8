"""WordPiece as it is published.

Sources: Schuster and Nakajima 2012, "Japanese and Korean Voice Search"; the Hugging Face course,
"WordPiece tokenization"; Devlin et al. 2019 and their ``tokenization.py`` for greedy matching.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

import pytest
import textbook

from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.wordpiece_training import (
    join,
    merges,
    pieces_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    Scores = dict[tuple[str, str], Fraction]

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
"""The words of the course."""

COURSE = (
    "This is the Hugging Face Course . chapter about tokenization section shows several tokenizer "
    "algorithms Hopefully , you will be able to understand how they are trained and generate tokens"
)
"""The words of its four sentences, in the order in which it counts them."""


def scores_after(merges: list[tuple[str, str]]) -> list[Scores]:
    """Return the exact scores of all pairs of HUG before each merge, and after the last."""
    steps: list[Scores] = []
    chosen = iter(merges)

    def choose(pairs: Mapping[tuple[str, str], int], pieces: Mapping[str, int]) -> tuple[str, str]:
        steps.append({p: Fraction(n, pieces[p[0]] * pieces[p[1]]) for p, n in pairs.items()})
        return next(chosen, None)  # type: ignore[return-value]

    list(textbook.learn({pieces_of(word): n for word, n in HUG.items()}, choose, join))
    return steps


def test_the_first_merge_of_the_course_is_not_the_most_frequent_pair() -> None:
    (scores,) = scores_after([])
    assert scores.pop(("##g", "##s")) == Fraction(1, 20)
    assert set(scores.values()) == {Fraction(1, 36)}  # all pairs with "##u"
    assert next(textbook.wordpiece_merges(HUG)) == next(merges(HUG)) == ("##g", "##s")


def test_then_all_pairs_of_the_course_have_one_score_and_the_first_is_merged() -> None:
    _, scores = scores_after([("##g", "##s")])
    assert set(scores.values()) == {Fraction(1, 36)}
    assert list(islice(textbook.wordpiece_merges(HUG, ties="first"), 2))[1] == ("h", "##u")
    assert list(islice(textbook.wordpiece_merges(HUG), 2))[1] == min(scores) == ("##u", "##g")


def test_the_third_score_of_the_course_is_not_that_of_its_formula() -> None:
    """The course says that both pairs with "hu" have 1/15, and all others 1/21."""
    scores = scores_after([("##g", "##s"), ("h", "##u")])[-1]
    assert scores["hu", "##gs"] == Fraction(1, 15)
    assert scores["hu", "##g"] == Fraction(10, 15 * 15)
    assert scores["##u", "##g"] == Fraction(5, 21 * 15)
    assert {scores[pair] for pair in [("p", "##u"), ("b", "##u"), ("##u", "##n")]} == {
        Fraction(1, 21)
    }


def test_the_course_learns_25_pieces_from_its_four_sentences() -> None:
    counts = {word: {"This": 3, "is": 2, ".": 4}.get(word, 1) for word in COURSE.split()}
    learned = islice(textbook.wordpiece_merges(counts, minimum=1, ties="first"), 25)
    pieces = (
        "ab ##fu Fa Fac ##ct ##ful ##full ##fully Th ch ##hm cha chap chapt ##thm Hu Hug Hugg sh "
        "th is ##thms ##za ##zat ##ut"
    )
    assert " ".join(join(*merge) for merge in learned) == pieces


def test_a_rare_pair_of_rare_pieces_goes_before_a_frequent_pair_of_frequent_ones() -> None:
    # The course: ("hu", "##gging") is merged before ("un", "##able"), whose parts are frequent.
    counts = {"that": 9, "thin": 9, "to": 9, "ash": 9, "xz": 2}
    assert next(merges(counts)) == ("x", "##z")  # 2 / (2 * 2), and "th" 18 / (27 * 27)
    words = {tuple(word): count for word, count in counts.items()}
    by_count = textbook.learn(words, lambda pairs, _: textbook.most_frequent(pairs)[0])
    assert next(by_count) == ("t", "h")


@pytest.mark.parametrize(
    ("pieces", "word", "expected"),
    [
        ("un ##happi ##ness ##hap ##pi ##n", "unhappiness", "un ##happi ##ness"),
        ("un ##aff ##able", "unaffable", "un ##aff ##able"),  # from the comments of BERT's code
        ("hu hug ##g ##gs ##s", "hugs", "hug ##s"),  # the course
        ("b ##u ##gs ##g ##s", "bugs", "b ##u ##gs"),
        ("b ##u ##g", "mug", "[UNK]"),
        ("b ##u ##g", "bum", "[UNK]"),  # not b ##u [UNK]
        ("ab abc ##cd", "abcd", "[UNK]"),  # ab ##cd would cover it: the match is greedy
    ],
)
def test_a_word_is_cut_by_the_longest_match_from_the_left(
    pieces: str, word: str, expected: str
) -> None:
    names = ["[UNK]", *pieces.split()]
    model = WordPiece({name: number for number, name in enumerate(names)})
    assert [names[number] for number, _ in model.tokens(word)] == expected.split()
