"""The ids of many texts as a column, with and without NumPy."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.boundary.id_columns import column_of, joined

SMALL = st.integers(-(1 << 31), (1 << 31) - 1)
IDS = SMALL | st.integers(0, 9) | st.integers()
ROWS = st.lists(st.lists(IDS, max_size=5), max_size=5)


class Subclass(int):
    """An integer of another type."""


class Buffer(bytearray):
    """Bytes of another type, which marshal writes."""


@pytest.fixture(params=[True, False])
def numpy(request, monkeypatch):
    """Run with NumPy, and as if nothing had loaded it."""
    if not request.param:
        monkeypatch.delitem(sys.modules, "numpy")
    return request.param


@given(ROWS, st.sets(IDS), st.booleans())
def test_a_column_has_the_ids_of_all_rows(rows, some, with_numpy):
    loaded = sys.modules["numpy"]
    if not with_numpy:
        del sys.modules["numpy"]
    try:
        column = joined([column_of([row]) for row in rows])
        whole = column_of(rows)
    finally:
        sys.modules["numpy"] = loaded
    ids = [number for row in rows for number in row]
    for one in (column, whole):
        assert len(one) == len(ids)
        assert list(map(int, one.numbers)) == ids
        assert one.ends == ((min(ids), max(ids)) if ids else ())
        assert one.has_any(some) == bool(some & set(ids))


@pytest.mark.parametrize(
    "rows",
    [
        [[1, True]],
        [[1.0]],
        [[None], [2]],
        [["i\0\0\0\0"]],
        [[Subclass(3)]],
        [[[1, 2]]],
        [[[]], [5]],
        [[1, (2,)]],
        [[False] * 5],
        [[1, Buffer(b"abcd")]],
        [[1, object()]],
        [[True, "\x00\x00\x00\x00i\0\0\0\0"]],
    ],
)
def test_what_is_no_exact_integer_has_no_column(numpy, rows):
    assert column_of(rows) is None


def test_ids_of_four_bytes_are_an_array_if_numpy_is_loaded(numpy):
    assert isinstance(column_of([[1, 2], [3]]).numbers, np.ndarray) is numpy
    assert isinstance(column_of([[1, 2**31]]).numbers, list)
