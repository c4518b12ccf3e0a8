"""Encode texts for a report, with target and reference, and count the tokens of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.token_columns import encodings, lossy_cost
from tokharness.targets.subject import Subject

if TYPE_CHECKING:
    from tokharness.engine.requests import CostRequest, EncodeRequest
    from tokharness.engine.worker.state import WorkerState


def encode(state: WorkerState, request: EncodeRequest) -> dict[str, Any]:
    """Encode the texts."""
    state.set_crashers(request.crashers)
    subject = state.timed_subject()
    reference = subject.reference and Subject(subject.reference)
    return {
        "encodings": encodings(
            request.texts,
            state.compared_subject() if request.compared else subject.with_original_target(),
        ),
        "of_reference": encodings(request.texts, reference) if reference else None,
    }


def cost(state: WorkerState, request: CostRequest) -> dict[str, Any]:
    """Count the tokens that the original target needs for the text."""
    state.set_crashers(request.crashers)
    return {"cost": lossy_cost(request.text, state.timed_subject().with_original_target())}
