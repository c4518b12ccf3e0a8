"""Requests that share what they compute go to one worker, whatever becomes of others."""

from itertools import chain
from types import SimpleNamespace

import pytest

from tokharness.config import Options
from tokharness.engine.run.loaded_workers import Workers
from tokharness.errors import TargetDeath


class Worker:
    """A worker that notes what it gets, and dies of some requests."""

    guarded = False

    def __init__(self, crashing=()):
        self.crashing, self.sent = crashing, []

    def send(self, request):
        self.sent.append(request)

    def receive(self):
        if self.sent[-1] in self.crashing:
            raise TargetDeath("SIGSEGV")
        return {"answer": self.sent[-1]}


class Pool:
    """A pool whose workers respond in turn, the one that waits longest first."""

    spec = "x"

    def next_ready(self, workers):
        return workers[0]

    def kill(self, worker):
        pass


def called(names, together, crashing=()):
    workers = Workers(Pool())
    workers.workers = [Worker(crashing), Worker(crashing)]
    rows = [worker.sent for worker in workers.workers]
    responses = {}
    deaths = workers.call_unguarded({name: name for name in names}, responses, together)
    return rows, responses, deaths


def test_requests_together_go_to_one_worker_in_their_order():
    rows, responses, _ = called("abcdef", dict.fromkeys("bdf", "group"))
    assert sum("bdf" in "".join(row) for row in rows) == 1
    assert len(responses) == 6


def test_the_others_are_sent_if_a_worker_dies_of_one_of_them():
    rows, responses, deaths = called("abcd", dict.fromkeys("acd", "group"), crashing={"c"})
    assert set(responses) == set("abd")
    assert list(deaths) == ["c"]
    assert "".join(chain(*rows)).count("c") == 1


@pytest.mark.parametrize(
    ("profile", "megabytes", "ended"),
    [
        ("quick", [300, 300, 300, 300], 0),
        ("quick", [600, 600, 600, 600], 2),
        ("quick", [710, 200, 200], 2),
        ("quick", [], 0),
        ("standard", [3000, 3000], 0),
    ],
)
def test_workers_that_take_too_much_memory_together_end(profile, megabytes, ended):
    workers = Workers(Pool())
    workers.pool.options = Options(profile=profile)
    workers.pool.workers = [SimpleNamespace(memory=size * 1_000_000) for size in megabytes]
    assert workers.too_many == ended
    assert workers.is_large == (ended == 2 and 710 in megabytes)


def test_a_request_without_time_is_not_sent():
    workers = Workers(Pool())
    workers.workers = [Worker()]
    responses = {}
    left = iter([1.0, None, 0.5, None])
    workers.call_unguarded(
        {name: name for name in "abcd"},
        responses,
        limited=lambda request: None if next(left) is None else request,
    )
    assert [*responses] == ["a", "c"]


def test_a_load_that_fails_leaves_less_time_for_the_next():
    worker, pool = Worker(crashing={"load"}), Pool()
    worker.load_left, pool.load_left = 25.0, 60.0
    worker.send("load")
    assert Workers(pool).load(worker) is None
    assert pool.load_left == 25.0
