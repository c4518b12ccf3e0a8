"""Run one round of a campaign, and return the features of all rounds of this worker."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.fuzzing.triage import triage
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from tokharness.engine.requests import FeaturesRequest, RoundRequest
    from tokharness.engine.worker.state import WorkerState


def run_round(state: WorkerState, request: RoundRequest) -> dict[str, Any]:
    """Run the round."""
    state.set_crashers(request.crashers)
    response = state.rounds.run(request, guarded=state.guarded)
    subject = replace(state.timed_subject(), state=state.triage_state)
    checks = state.checks
    if state.guarded:  # each call of a diagnosis is a request to another process, which is slow
        checks = [check for check in checks if check.code == crashes_or_hangs.CODE]
    try:
        discovered = triage(checks, subject, response["failing"], request.known_causes)
    except TargetDeath:  # the final diagnosis reports the causes
        discovered = []
    crashers = state.crashers(request.crashers)
    return {"crashers": crashers, "discovered": discovered, **response}


def features(state: WorkerState, _: FeaturesRequest) -> dict[str, Any]:
    """Return the features as plain data."""
    return state.rounds.features()
