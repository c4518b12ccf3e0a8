"""Run the checks on one unit of a family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.batches import BatchOptions

if TYPE_CHECKING:
    from tokharness.engine.requests import UnitRequest
    from tokharness.engine.worker.state import WorkerState

__all__ = ["respond"]


def respond(state: WorkerState, request: UnitRequest) -> dict[str, Any]:
    """Run the checks; only failing texts are in the response."""
    state.set_crashers(request.crashers)
    texts = state.texts[request.family]
    options = BatchOptions(
        request.family, compared=texts.family.compared, recheck_every=texts.recheck_every
    )
    result = state.batches.run(texts.texts_of_unit(request.number), options)
    crashers = state.crashers(request.crashers)
    return {"units": texts.units, "crashers": crashers, **result.record()}
