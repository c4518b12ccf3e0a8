"""Return the features of all rounds of this worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokharness.engine.requests import FeaturesRequest
    from tokharness.engine.worker.state import WorkerState


def respond(state: WorkerState, _: FeaturesRequest) -> dict[str, Any]:
    """Return the features as plain data."""
    return state.rounds.features()
