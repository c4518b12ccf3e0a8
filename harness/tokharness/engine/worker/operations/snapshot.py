"""Take a snapshot of the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.responses import error_response
from tokharness.engine.worker.snapshots import NEW, golden_texts, take_snapshot
from tokharness.engine.worker.vocabularies import target_facts
from tokharness.errors import PluginError
from tokharness.targets.snapshot import ChangedText, Golden, earlier_of, ids_of, snapshot_record

if TYPE_CHECKING:
    from tokharness.engine.requests import SnapshotRequest
    from tokharness.engine.worker.state import WorkerState


def respond(state: WorkerState, request: SnapshotRequest) -> dict[str, Any]:
    """Take the snapshot on the golden texts, or on a new set if there are none."""
    golden = [Golden(group, text, ids_of(ids)) for group, text, ids in request.golden]
    try:
        if not golden:
            facts = target_facts(state.subject, state.options.profile)
            golden = [Golden(name, text, NEW) for name, text in golden_texts(facts)]
        cases = [ChangedText(name, text, None, ids_of(ids)) for name, text, ids in request.changed]
        earlier = None if request.earlier is None else earlier_of(request.earlier)
        snapshot = take_snapshot(state.timed_subject(), state.checks, golden, earlier, cases)
    except PluginError as error:
        return {"snapshot": None, "failed": error_response(error)}
    return {"snapshot": snapshot_record(snapshot)}
