"""Of very many failing texts a part is kept, the same for any order of the units.

A sample of very many failing texts is diagnosed, and all others are counted.
"""

import itertools
import random
from dataclasses import replace

import pytest

from tokharness.engine.events import TargetStarted, UnitFinished
from tokharness.engine.run.unit_results import Progress, failing_texts, quotas

LIMIT = 40
START = TargetStarted("t", None, (), None, None, ("few", "many", "most"), ("TOK101", "TOK102"))


def units(sizes, codes=("TOK101",)):
    """Return the units of families with so many failing texts in each unit."""
    return [
        UnitFinished(
            spec="t",
            family=family,
            number=number,
            units=len(of_family),
            cases=size,
            failing={code: [f"{family} {number} {text}" for text in range(size)] for code in codes},
            seconds=0.0,
        )
        for family, of_family in sizes.items()
        for number, size in enumerate(of_family)
    ]


def progress_of(finished):
    progress = Progress(START, (), LIMIT)
    for unit in finished:
        assert progress.add(unit)
    return progress


def kept(progress):
    return sum(
        len(texts)
        for family in progress.families.values()
        for unit in family.finished.values()
        for texts in unit.failing.values()
    )


SIZES = {"few": [3], "many": [70, 90, 0, 50], "most": [300, 200, 1000, 7]}


@pytest.mark.parametrize("codes", [("TOK101",), ("TOK101", "TOK102")])
def test_the_sample_does_not_depend_on_the_order_of_the_units(codes):
    finished = units(SIZES, codes)
    expected = progress_of(finished).failing
    for seed in range(20):
        random.Random(seed).shuffle(finished)
        assert progress_of(finished).failing == expected


def test_all_texts_of_families_with_few_are_kept():
    failing = progress_of(units(SIZES)).failing["TOK101"]
    families = list(failing.values())
    assert len(failing) == LIMIT
    assert families.count("few") == 3
    assert abs(families.count("many") - families.count("most")) <= 1


def test_the_texts_that_are_kept_are_few_and_all_are_counted():
    progress = progress_of(units({"most": [1000] * 50}, ("TOK101", "TOK102")))
    assert kept(progress) <= 4 * LIMIT
    (finished, *skips) = progress.summary()
    assert finished.failing == 100_000
    assert [event.skip.what for event in skips] == [
        f"diagnosis of 49,960 texts that fail {code}" for code in ("TOK101", "TOK102")
    ]


def test_units_of_a_journal_give_the_same_sample():
    finished = units(SIZES)
    resumed = Progress(START, finished[:4], LIMIT)
    for unit in finished[4:]:
        resumed.add(unit)
    assert resumed.failing == progress_of(finished).failing


def test_few_failing_texts_are_all_kept():
    finished = units({"few": [3], "many": [10, 10], "most": [15]})
    assert len(progress_of(finished).failing["TOK101"]) == 38


@pytest.mark.parametrize("limit", [10, 100])
def test_quotas_only_shrink_while_texts_are_added(limit):
    counts = {code: dict.fromkeys("abc", 0) for code in ("TOK101", "TOK102", "TOK103")}
    steps = random.Random(0).choices([*itertools.product(counts, "abc")], k=300)
    levels = {}
    for code, family in steps:
        counts[code][family] += 7
        for key, quota in quotas(counts, limit)[code].items():
            if quota < counts[code][key]:  # it is thinned
                assert quota <= levels.get((code, key), limit)
                levels[code, key] = quota


def test_texts_that_end_the_target_are_kept_once_and_limits_in_each_unit():
    finished = units({"few": [3, 3]})
    rows = [["encode", "a", "SIGABRT", ""], ["lost", 0, None, ""]]
    progress = progress_of(replace(unit, guarded=True, crashers=rows) for unit in finished)
    assert progress.crashers == rows
    kept = [unit.crashers for unit in progress.families["few"].finished.values()]
    assert kept == [[rows[1]], [rows[1]]]


def unit(family, texts, **attributes):
    return UnitFinished("t", family, 0, 1, 100, {"TOK101": texts}, 0.0, **attributes)


def test_few_failing_texts_are_all_diagnosed():
    sample, left_out = failing_texts([unit("a", ["x", "y"]), unit("b", ["y", "z"])], 10)
    assert sample == {"TOK101": {"x": "a", "y": "a", "z": "b"}}
    assert not left_out


def test_a_sample_of_many_failing_texts_has_some_of_each_family():
    many = [str(n) for n in range(100)]
    sample, left_out = failing_texts([unit("many", many), unit("few", ["x", "y"])], 10)
    families = list(sample["TOK101"].values())
    assert (families.count("few"), families.count("many")) == (2, 8)
    assert left_out == {"TOK101": 92}


def test_texts_that_a_unit_left_out_are_counted():
    _, left_out = failing_texts([unit("a", ["x"], failing_left_out={"TOK101": 7})], 10)
    assert left_out == {"TOK101": 7}
