"""Count the tokens of a text, and its lost characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.token_columns import lossy_cost

if TYPE_CHECKING:
    from tokharness.engine.requests import CostRequest
    from tokharness.engine.worker.state import WorkerState


def respond(state: WorkerState, request: CostRequest) -> dict[str, Any]:
    """Count the tokens that the original target needs for the text."""
    state.set_crashers(request.crashers)
    return {"cost": lossy_cost(request.text, state.timed_subject().with_original_target())}
