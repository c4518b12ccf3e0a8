"""Where a profile limits the processor time, each family gets some, and the rest is counted."""

import math
import subprocess
import sys

import pytest

from tokharness.config import PROFILES, Options
from tokharness.engine.events import UnitFinished
from tokharness.engine.run.family_results import TIME_SPENT, FamilyProgress
from tokharness.engine.run.processor_time import ProcessorTime, UsedTime, slowness
from tokharness.targets.processes.limits import LINUX


def unit(number, units=4, **values):
    return UnitFinished("x", "emoji", number, units, cases=10, failing={}, seconds=0.0, **values)


def time_of(limit, used=0.0, **values):
    return ProcessorTime(limit, seen=lambda: used, **values)


def test_without_a_limit_no_time_is_spent():
    time = time_of(None, used=1e9)
    time.begin_texts()
    assert time.texts_left() == time.left() == math.inf
    assert not time.is_short()
    assert time.of_unit() is time.of_request() is None


def test_texts_get_a_share_of_what_loading_leaves_and_a_part_a_share_of_that():
    time = time_of(50.0, used=10.0)
    time.begin_texts()
    assert time.texts_left() == pytest.approx(26.0)
    assert time.of_unit() == pytest.approx(6.5)
    assert not time.is_short()
    time.seen = lambda: 24.0
    assert time.is_short()
    time.seen = lambda: 36.5
    assert time.texts_left() == time.of_unit() == 0.0
    assert time.left() == pytest.approx(13.5)


def test_diagnoses_and_audits_share_what_texts_leave():
    time = time_of(50.0, used=38.0, workers=2)
    assert time.of_diagnoses() == pytest.approx(6.0)
    assert time.of_request() == pytest.approx(4.0)
    time.seen = lambda: 51.0
    assert time.of_request() == 0.0


def test_what_workers_report_counts_where_the_system_has_no_data():
    time = time_of(50.0)
    time.reported = 20.0
    assert time.left() == pytest.approx(30.0)


@pytest.mark.slow
def test_the_time_of_ended_and_of_running_processes_is_seen():
    spin = "import time\nwhile time.process_time() < 0.3: pass\n"
    used = UsedTime()
    subprocess.run([sys.executable, "-c", spin], check=True)
    running = subprocess.Popen(
        [sys.executable, "-c", spin + "print(flush=True)\ninput()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    running.stdout.readline()
    used.look()
    running.communicate(b"\n")
    assert used() >= (0.5 if LINUX else 0.0)


@pytest.mark.parametrize(
    ("profile", "limit", "seconds", "of_audit"),
    [
        ("quick", None, PROFILES["quick"].run_seconds, 60.0),
        ("quick", 200.0, 200.0, 200.0),
        ("quick", 0.0, None, math.inf),
        ("standard", None, None, 1800.0),
        ("standard", 9.0, 9.0, 1800.0),
    ],
)
def test_the_limit_can_be_set(profile, limit, seconds, of_audit):
    options = Options(profile=profile, run_limit=limit)
    assert (options.run_seconds, options.audit_seconds) == (seconds, of_audit)


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
        (
            "part of family emoji",
            f"{TIME_SPENT} (3 of 4 parts)",
        ),
        (
            "part of family emoji",
            f"{TIME_SPENT} (7 texts)",
        ),
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
