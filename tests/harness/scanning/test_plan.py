"""Samples by number: the documents with the smallest places, however a corpus is cut."""

from hypothesis import given
from hypothesis import strategies as st

from tokharness.scanning.plan import SCALE, SmallestPlaces, place_of, smallest

PLACES = st.lists(st.integers(0, 30), max_size=60)


def found(places, number):
    counts = SmallestPlaces(number)
    counts.add((place, 1) for place in places)
    counts.trim()
    return counts


@given(PLACES, st.integers(1, 20), st.integers(0, 60))
def test_the_parts_of_a_corpus_have_the_smallest_places_of_the_whole(places, number, cut):
    whole = found(places, number)
    parts = SmallestPlaces(number)
    for part in (places[:cut], places[cut:]):
        parts.add(found(part, number).counts.items())
    assert parts.share() == whole.share()
    chosen = [place for place in places if place < whole.share() * SCALE]
    assert len(chosen) >= min(number, len(places))
    largest = max(chosen, default=0)
    assert sum(place < largest for place in chosen) < number or whole.share() == 1


def test_equal_documents_are_taken_together():
    assert smallest({5: 3, 1: 1, 9: 1}, 2) == {1: 1, 5: 3}
    assert place_of("a") == place_of("a") != place_of("b")
