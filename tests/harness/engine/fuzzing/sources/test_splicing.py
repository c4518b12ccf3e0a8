"""Texts that are spliced from pieces."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.fuzzing.sources.mutations import (
    CONTEXTS,
    LONG_TEXTS,
    LONGEST,
    long_texts,
    mixtures,
    pairs,
)

TEXTS = ["\u200b", "a\u0301", "\ud800", "<|end|>"]
seeds = st.integers(0, 2**64)
some_pieces = st.lists(st.text(st.characters(), max_size=9), min_size=1, max_size=9)


@given(seeds, some_pieces, st.integers(0, 60))
def test_the_number_of_mixtures_is_exact(seed, pieces, count):
    assert len(mixtures(random.Random(seed), pieces, count)) == count


@given(seeds, some_pieces)
def test_a_mixture_consists_of_pieces_and_contexts(seed, pieces):
    characters = set("".join((*pieces, *CONTEXTS)))
    assert set("".join(mixtures(random.Random(seed), pieces, 40))) <= characters


def test_every_piece_occurs_whole_or_in_part():
    joined = "".join(mixtures(random.Random(0), TEXTS, 200))
    assert set("".join(TEXTS)) <= set(joined)


@given(seeds, st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=9))
def test_each_text_is_joined_with_another_and_put_in_a_context(seed, texts):
    paired = pairs(random.Random(seed), texts)
    assert len(paired) == 2 * len(texts)
    joined, inside = paired[: len(texts)], paired[len(texts) :]
    assert all(pair.startswith(text) for pair, text in zip(joined, texts, strict=True))
    assert all(text in context for context, text in zip(inside, texts, strict=True))


@pytest.mark.parametrize("turn", range(3))
def test_long_texts_are_longer_with_each_turn(turn):
    lengths = [
        len(text) for seed in range(20) for text in long_texts(random.Random(seed), "a", turn)
    ]
    assert len(lengths) == 20 * LONG_TEXTS
    assert min(lengths) >= 1 << 9
    assert 1 << (9 + 2 * turn) < max(lengths) <= 1 << (11 + 2 * turn)


def test_no_text_is_longer_than_a_million():
    assert max(map(len, long_texts(random.Random(1), TEXTS, 99))) <= LONGEST


@pytest.mark.parametrize("make", [mixtures, long_texts])
def test_the_texts_depend_on_the_seed_only(make):
    first, second, other = (make(random.Random(seed), TEXTS, 3) for seed in (7, 7, 8))
    assert first == second != other


@pytest.mark.parametrize("pieces", [[""], ["", ""]])
def test_empty_pieces_are_accepted(pieces):
    assert all(long_texts(random.Random(0), pieces, 0))


def test_a_run_of_marks_begins_with_a_letter():
    texts = [text for seed in range(20) for text in long_texts(random.Random(seed), "\u0301", 1)]
    assert any(text.startswith("a\u0301\u0301") for text in texts)
    assert not any(text.startswith("\u0301") for text in texts)
