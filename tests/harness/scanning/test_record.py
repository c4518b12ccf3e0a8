"""Records of a scan merge in any order and any grouping to the same."""

import copy
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.boundary.id_columns import column_of
from tokharness.model import Batch
from tokharness.scanning import record
from tokharness.scanning.measuring import Measuring, TokenCounts, words_of
from tokharness.scanning.plan import Settings
from tokharness.scanning.record import FAILING, PLACES, Record, merge, record_of

KEYS = st.sampled_from(["a", "b", "c"])
RANKS = st.integers(-3, 3) | st.sampled_from([0.5, -1.5])


@st.composite
def records(draw):
    one = Record()
    for table, row, value in draw(st.lists(st.tuples(KEYS, KEYS, st.integers(0, 9)), max_size=4)):
        one.add(table, row, value, 1)
    one.tokens.update(draw(st.lists(st.integers(0, 5), max_size=6)))
    for rank, row in draw(st.lists(st.tuples(RANKS, st.integers(0, 99)), max_size=6)):
        one.put("worst", [[rank, "file", 0, row]])
    for row in draw(st.lists(st.integers(0, 99), max_size=6)):
        one.put(f"{PLACES}hidden a", [["file", 0, row]])
    texts = st.text("xy", min_size=1, max_size=9)
    for text, row in draw(st.lists(st.tuples(texts, st.integers(0, 99)), max_size=6)):
        one.put(f"{FAILING}TOK101", [[len(text), "file", 0, row, text]])
    return one


@pytest.mark.slow
@given(st.lists(records(), max_size=6), st.randoms(use_true_random=False), st.integers(0, 6))
@settings(max_examples=200)
def test_merging_is_associative_and_commutative(ones, rng, cut):
    limits = record.ROWS, record.FAILING_ROWS, record.FAILING_CHARACTERS
    record.ROWS, record.FAILING_ROWS, record.FAILING_CHARACTERS = 3, 3, 12
    try:
        whole = merge(copy.deepcopy(ones)).plain()
        shuffled = copy.deepcopy(ones)
        rng.shuffle(shuffled)
        parts = merge([merge(shuffled[:cut]), merge(shuffled[cut:])]).plain()
    finally:
        record.ROWS, record.FAILING_ROWS, record.FAILING_CHARACTERS = limits
    assert parts == whole


@pytest.mark.slow
@given(records())
def test_a_record_survives_plain_data(one):
    assert record_of(one.plain()).plain() == one.plain()


def test_a_sample_keeps_the_smallest_rows():
    one = Record()
    for row in range(100, 0, -1):
        one.put("worst", [[-1, "file", 0, row]])
    assert [row for *_, row in one.samples["worst"]] == list(range(1, record.ROWS + 1))


@pytest.mark.parametrize(("with_numpy", "waiting"), [(True, 1), (True, 1000), (False, 1)])
def test_tokens_are_counted_the_same_with_and_without_numpy(monkeypatch, with_numpy, waiting):
    if not with_numpy:
        monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr(TokenCounts, "WAITING", waiting)
    counts = TokenCounts()
    columns = [[0, 5, 5], [], [100_000, 5], [-1, 2**30, 0], [2**40, 7], [2**70]]
    for numbers in columns:
        counts.add(column_of([numbers]).numbers)
    counts.add(iter([5]))
    assert counts.counts() == Counter([*(n for one in columns for n in one), 5])


@pytest.mark.parametrize("with_numpy", [True, False])
@given(texts=st.lists(st.text() | st.text(st.characters(codec="ascii"))))
def test_words_are_what_white_space_ends(with_numpy, texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numpy", np if with_numpy else None)
        assert words_of(texts) == sum(len(text.split()) for text in texts)


def test_each_language_has_the_sums_of_its_documents():
    texts = ["one two", "\u00e4 b c", "d", "e f", "g"]
    languages = ["en", "de", None, "en", "fr"]
    ids = [[1] * len(text) for text in texts]
    reference = [[1] * 7, None, [2], [1, 1, 1, 1], [1]]
    measuring = Measuring(Settings(), ())
    measuring.set_documents(["file", 0], range(1, 6), languages)
    measuring.add(Batch("file", texts, ids, texts, {}, reference))
    assert measuring.finish().tables["language"] == {
        "en": [2, 10, 10, 4, 10, 2, 10, 11, 1],
        "de": [1, 6, 5, 3, 5, 0, 0, 0, 0],
        "fr": [1, 1, 1, 1, 1, 1, 1, 1, 0],
    }
