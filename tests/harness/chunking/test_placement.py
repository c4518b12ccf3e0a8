"""The places of chunks, compared with all places of short texts."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.chunking.placement import TooManyPlacesError, gaps, place

CHARS = st.sampled_from("ab ")
TEXTS = st.text(CHARS, max_size=6)


def largest_overlap(spans):
    reach, most = 0, 0
    for start, end in spans:
        most = max(most, min(reach, end) - start)
        reach = max(reach, end)
    return most


def all_places(text, chunks, may_lose):
    """Yield all places at which the chunks are the text, by trying each one."""
    places = [
        [(at, at + len(one)) for at in range(len(text)) if text.startswith(one, at)]
        for one in chunks
    ]
    for spans in product(*places):
        if any(b < a for (a, _), (b, _) in pairwise(spans)):
            continue
        if all(may_lose(char) for a, b in gaps(text, spans) for char in text[a:b]):
            yield spans


@given(TEXTS, st.lists(st.text(CHARS, min_size=1, max_size=3), max_size=4), st.booleans())
def test_places_are_those_with_the_smallest_overlap(text, chunks, loses):
    def may_lose(char):
        return loses and char == " "

    expected = [largest_overlap(one) for one in all_places(text, chunks, may_lose)]
    found = place(text, chunks, may_lose)
    assert (found is None) == (not expected)
    if found is not None:
        assert [text[a:b] for a, b in found] == chunks
        assert largest_overlap(found) == min(expected)


@given(TEXTS, st.integers(1, 4), st.integers(0, 2))
def test_slices_of_a_text_have_places(text, limit, overlap):
    step = max(limit - overlap, 1)
    chunks = [text[at : at + limit] for at in range(0, len(text), step)]
    assert place(text, chunks) is not None


@pytest.mark.parametrize(
    ("text", "chunks", "expected"),
    [
        ("", [], []),
        ("", [""], [(0, 0)]),
        ("ab", ["a", "", "b"], [(0, 1), (1, 1), (1, 2)]),
        ("aaaa", ["aa", "aa"], [(0, 2), (2, 4)]),
        ("axxxxa", ["axx", "xxx", "xa"], [(0, 3), (2, 5), (4, 6)]),
        ("ab", ["a"], None),
        ("ab", ["b", "a"], None),
        ("ab", ["ab", "c"], None),
    ],
)
def test_places(text, chunks, expected):
    assert place(text, chunks) == expected


@pytest.mark.slow
def test_a_long_text_of_one_character_is_placed_fast():
    text = "a" * 400
    chunks = [text[at : at + 8] for at in range(0, 400, 4)]
    assert place(text, chunks) is not None
    assert place(text + "b", chunks) is None


def test_a_search_with_too_many_places_ends():
    with pytest.raises(TooManyPlacesError):
        place("a" * 300, ["a" * 16] * 300 + ["b"])
