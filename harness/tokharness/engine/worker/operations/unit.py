"""Run the checks on one unit of a family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.batches import BatchOptions
from tokharness.engine.worker.packed_texts import run_packed
from tokharness.engine.worker.vocabularies import dies_of_an_id

if TYPE_CHECKING:
    from tokharness.engine.requests import UnitRequest
    from tokharness.engine.worker.state import WorkerState

__all__ = ["respond"]


def respond(state: WorkerState, request: UnitRequest) -> dict[str, Any]:
    """Run the checks; only failing texts are in the response."""
    state.set_crashers(request.crashers)
    texts = state.texts[request.family]
    options = BatchOptions(
        request.family,
        compared=texts.family.compared,
        recheck_every=texts.recheck_every,
        facts=texts.family.unpack is None,
    )
    part = texts.texts_of_unit(request.number)
    without_tokens = state.guarded and texts.has_used_tokens and dies_of_an_id(state.subject)
    if without_tokens:
        state.set_crashers(request.crashers)  # an audit reports the id
    if texts.family.unpack is None:
        result = state.batches.run(part, options)
    else:
        result = run_packed(state.batches, part, options, texts.family.unpack)
    crashers = state.crashers(request.crashers)
    record = result.record()
    record["left_out"] += without_tokens  # at least one text
    return {"units": texts.units, "crashers": crashers, **record}
