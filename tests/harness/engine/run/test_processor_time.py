"""Where a profile limits the processor time, each family gets some, and the rest is counted."""

import pytest

from tokharness.engine.events import UnitFinished
from tokharness.engine.run.family_results import FamilyProgress
from tokharness.engine.run.processor_time import ProcessorTime, slowness


def unit(number, units=4, **values):
    return UnitFinished("x", "emoji", number, units, cases=10, failing={}, seconds=0.0, **values)


def test_without_a_limit_no_time_is_spent():
    spent = ProcessorTime(None, used=1e9)
    assert not spent.is_spent()
    assert not spent.is_short()
    assert spent.of_unit() is None


def test_a_part_gets_a_share_of_what_is_left():
    one = ProcessorTime(40.0)
    assert one.of_unit() == pytest.approx(10.0)
    one.used = 36.0
    assert one.is_short()
    assert not one.is_spent()
    assert one.of_unit() == pytest.approx(1.0)
    one.used = 41.0
    assert one.is_spent()
    assert one.of_unit() == 0.0


def test_a_machine_is_never_faster_than_a_usual_one():
    assert slowness() >= 1.0


def test_parts_that_were_left_out_are_counted():
    family = FamilyProgress("emoji")
    family.add(unit(0, not_run=7))
    assert not family.is_finished()
    family.leave_out_rest()
    assert family.is_finished()
    skips = [(skip.what, skip.reason) for skip in family.skips("x")]
    assert skips == [
        ("part of family emoji", "the processor time of the profile is used up (3 of 4 parts)"),
        ("part of family emoji", "the processor time of the profile is used up (7 texts)"),
    ]


def test_a_family_that_was_not_begun_is_a_skip():
    family = FamilyProgress("emoji")
    family.leave_out_rest()
    assert [skip.what for skip in family.skips("x")] == ["family emoji"]


def test_a_family_with_a_part_that_must_run_guarded_is_not_left_out_by_the_first_pass():
    family = FamilyProgress("emoji")
    family.add(unit(0))
    family.guard_from(1)
    family.leave_out_rest()
    assert not family.is_finished()
