"""The number of a round determines its source and turn."""

import pytest

from tokharness.engine.fuzzing.rounds import SOURCES, round_at, select_sources

ALL = select_sources(families_only=False)
FEW = select_sources(families_only=True)
MANY = 200

both = pytest.mark.parametrize("sources", [ALL, FEW])


def rounds(sources):
    return [round_at(number, sources) for number in range(MANY)]


def test_without_selected_families_all_sources_are_used():
    assert set(ALL) == set(SOURCES) - {"corpus"}


def test_with_selected_families_only_these_and_their_mutations_are_used():
    assert set(FEW) == {"families", "mutations"}


@both
def test_every_source_recurs(sources):
    for start in range(0, MANY, 40):
        assert {one.source for one in rounds(sources)[start : start + 40]} == set(sources)


@both
def test_the_turns_of_a_source_are_consecutive(sources):
    for source in sources:
        turns = [one.turn for one in rounds(sources) if one.source == source]
        assert turns == list(range(len(turns)))


@both
def test_a_round_has_its_number(sources):
    assert [one.number for one in rounds(sources)] == list(range(MANY))


@both
def test_a_round_depends_on_its_number_only(sources):
    backwards = [round_at(number, sources) for number in reversed(range(MANY))]
    assert backwards[::-1] == rounds(sources)
