"""Which rounds of a campaign run again after a worker died, and what is counted as a kill."""

from types import SimpleNamespace

import pytest

from tokharness.engine.fuzzing.campaign import RepeatedRounds
from tokharness.engine.fuzzing.rounds import Round
from tokharness.engine.run.death_findings import MAX_KILLS, OutsideKills
from tokharness.errors import TargetDeath

ROUND = Round(7, "mixtures", 0)
KILL, CRASH = TargetDeath("SIGKILL"), TargetDeath("SIGSEGV")


def worker(death=None, *, guarded=False):
    return SimpleNamespace(guarded=guarded, death=death)


@pytest.fixture
def workers():
    return SimpleNamespace(kills=OutsideKills("target"))


@pytest.fixture
def repeated(workers):
    return RepeatedRounds(workers)


def test_a_round_that_crashes_its_worker_runs_guarded(repeated):
    repeated.add(ROUND, worker(CRASH), CRASH)
    assert repeated.is_waiting(ROUND)
    assert repeated.next_fresh() is None
    assert repeated.next_guarded() == ROUND
    assert not repeated.is_waiting(ROUND)
    assert repeated.finish(ROUND.number, unexplained=False) is CRASH


def test_a_worker_that_may_have_been_ended_from_outside_is_replaced_once(repeated, workers):
    repeated.add(ROUND, worker(KILL), KILL)
    assert repeated.next_fresh() == ROUND
    repeated.add(ROUND, worker(KILL), KILL)
    assert repeated.next_fresh() is None
    assert repeated.next_guarded() == ROUND
    assert repeated.finish(ROUND.number, unexplained=False) is KILL
    assert workers.kills.total == 0


def test_a_round_that_a_fresh_worker_runs_was_killed_from_outside(repeated, workers):
    repeated.add(ROUND, worker(KILL), KILL)
    repeated.next_fresh()
    assert repeated.finish(ROUND.number, unexplained=True) is None
    assert workers.kills.total == 1


def test_each_kill_of_guarded_workers_is_counted_once(repeated, workers):
    kills = 0
    while repeated.next_fresh() or not kills:
        repeated.add(ROUND, worker(KILL, guarded=True), KILL)
        kills += 1
    assert repeated.finish(ROUND.number, unexplained=False) is None
    assert kills == MAX_KILLS
    assert workers.kills.total == MAX_KILLS
    assert workers.kills.incomplete
