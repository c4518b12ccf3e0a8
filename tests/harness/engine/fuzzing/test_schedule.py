"""The number of a round says its source, and how many of that came before."""

import pytest

from tokharness.engine.fuzzing.schedule import SOURCES, round_at, select_sources

ALL = select_sources(families_only=False)
FEW = select_sources(families_only=True)
MANY = 200

of_both = pytest.mark.parametrize("sources", [ALL, FEW])


def rounds(sources):
    return [round_at(number, sources) for number in range(MANY)]


def test_without_families_named_all_sources_but_the_remembered_come():
    assert set(ALL) == set(SOURCES) - {"corpus"}


def test_with_families_named_only_those_and_changes_of_them_come():
    assert set(FEW) == {"families", "mutations"}


@of_both
def test_every_source_comes_again_and_again(sources):
    for start in range(0, MANY, 40):
        assert {one.source for one in rounds(sources)[start : start + 40]} == set(sources)


@of_both
def test_each_source_counts_its_rounds_up_by_one(sources):
    for source in sources:
        turns = [one.turn for one in rounds(sources) if one.source == source]
        assert turns == list(range(len(turns)))


@of_both
def test_a_round_has_the_number_it_was_asked_for(sources):
    assert [one.number for one in rounds(sources)] == list(range(MANY))


@of_both
def test_the_number_alone_decides(sources):
    backwards = [round_at(number, sources) for number in reversed(range(MANY))]
    assert backwards[::-1] == rounds(sources)
