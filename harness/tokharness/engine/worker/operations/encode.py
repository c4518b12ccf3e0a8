"""Encode texts for a report, with the target and with the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.token_columns import encodings
from tokharness.targets.subject import Subject

if TYPE_CHECKING:
    from tokharness.engine.requests import EncodeRequest
    from tokharness.engine.worker.state import WorkerState


def respond(state: WorkerState, request: EncodeRequest) -> dict[str, Any]:
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
