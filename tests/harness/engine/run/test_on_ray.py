"""Units that run on actors give the events of a local run, also if a text ends the target."""

from dataclasses import asdict
from functools import partial
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.events import (
    FamilyFinished,
    FindingReported,
    SkipRecorded,
    UnitFinished,
)
from tokharness.engine.requests import request_record
from tokharness.engine.run import on_ray
from tokharness.engine.run.on_ray import RayUnits, UnitActor
from tokharness.engine.run.run import run
from tokharness.errors import TokharnessError
from tokharness.targets.processes.json_lines import from_line, to_line

TESTS = Path(__file__).parents[3]
OPTIONS = Options(
    profile="quick",
    families=("emoji", "surrogates"),
    select=("TOK101", "TOK102", "TOK104"),
    against="none",
    examples=0,
)
SPECS = (
    f"python:{TESTS / 'harness' / 'crashing_tokenizers.py'}:AbortsOnFamilyEmoji",
    f"python:{TESTS / 'healthy_tokenizers.py'}:declares_nfc",
)


def events_of(spec, elsewhere=None):
    """Return the events of a run without those of time."""
    compared = (FamilyFinished, FindingReported, SkipRecorded)
    events = list(run([spec], OPTIONS, jobs=1, elsewhere=elsewhere))
    return [one for one in events if isinstance(one, compared)], events


class Actors:
    """Calls one actor within this process, and counts the units that it ran."""

    def __init__(self):
        self.actor, self.ran = UnitActor(), 0

    def __call__(self, spec):
        target = {"spec": spec, "options": asdict(OPTIONS)}

        def elsewhere(requests):
            for at, request in enumerate(requests):
                row = to_line({**target, "request": request_record(request)})
                answer = self.actor({"place": [at], "row": [row]})
                response = from_line(answer["result"][0])
                self.ran += response is not None
                yield answer["place"][0], response

        return elsewhere


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=["a text ends the target", "a healthy target"])
def test_units_of_an_actor_give_the_events_of_a_local_run(spec):
    actors = Actors()
    given, whole = events_of(spec, actors)
    assert given == events_of(spec)[0]
    units = [one for one in whole if isinstance(one, UnitFinished)]
    assert 0 < actors.ran <= len(units)


@pytest.mark.slow
def test_units_without_a_response_run_here():
    given, _ = events_of(SPECS[1], lambda _: lambda requests: enumerate([None] * len(requests)))
    assert given == events_of(SPECS[1])[0]


@pytest.mark.slow
@pytest.mark.needs("ray")
@pytest.mark.filterwarnings("ignore")  # Ray warns of itself
def test_an_error_of_ray_ends_a_run_with_its_findings_so_far_and_a_sentence(monkeypatch):
    from ray.exceptions import RayError

    class Lost:
        """A dataset whose cluster is lost."""

        def from_items(self, *_, **__):
            return self

        map_batches = from_items

        def iter_rows(self):
            raise RayError("lost")
            yield

    monkeypatch.setattr(on_ray, "_ray_data", Lost)
    events = []
    elsewhere = partial(RayUnits, options=OPTIONS, jobs=1)
    with pytest.raises(TokharnessError, match="Ray gave no further result: lost"):
        events.extend(run([SPECS[1]], OPTIONS, elsewhere=elsewhere))
    assert any(isinstance(event, SkipRecorded) for event in events)


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.needs("ray")
@pytest.mark.filterwarnings("ignore")  # Ray warns of itself
def test_a_run_on_ray_gives_the_events_of_a_local_run(monkeypatch):
    import ray

    monkeypatch.setenv("RAY_worker_niceness", "0")
    try:
        for spec in SPECS:
            given, _ = events_of(spec, lambda spec: RayUnits(spec, OPTIONS, jobs=1))
            assert given == events_of(spec)[0]
    finally:
        ray.shutdown()
