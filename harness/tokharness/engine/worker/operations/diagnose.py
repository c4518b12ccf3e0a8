"""Diagnose the texts that fail a check, with a fresh target to confirm each finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.events import findings_record
from tokharness.engine.responses import error_response
from tokharness.engine.worker.budget import DiagnosisBudgets, limited
from tokharness.engine.worker.findings import diagnose_failures
from tokharness.errors import PluginError
from tokharness.targets.loading import guarded_target, load_target

if TYPE_CHECKING:
    from tokharness.engine.requests import DiagnoseRequest
    from tokharness.engine.worker.state import WorkerState
    from tokharness.model import Target

BRIEF = "the run was interrupted"


def respond(state: WorkerState, request: DiagnoseRequest) -> dict[str, Any]:
    """Diagnose the texts; the fresh target, if one was loaded, is closed with the last check."""
    state.set_crashers(request.crashers)
    diagnosis = state.diagnosis
    budgets = diagnosis.budgets
    if budgets is None or request.brief:
        budgets = DiagnosisBudgets(request.checks, request.seconds)
    if not request.brief:
        diagnosis.budgets = budgets

    def load_fresh() -> Target:
        if diagnosis.fresh is None:
            # Without a process of its own, the target is debugged in this one.
            load = load_target if state.timer is None else guarded_target
            diagnosis.fresh = load(state.subject.target.spec)
        return diagnosis.fresh

    last = budgets.last_seconds
    can_load_fresh = not state.remote and state.has_room
    subject = state.timed_subject()
    try:
        with limited(subject, last if request.most is None else min(last, request.most)):
            findings = diagnose_failures(
                [check for check in state.checks if check.code == request.code],
                subject,
                {request.code: request.failing},
                load_fresh if can_load_fresh and not request.brief else None,
                budgets,
                None if request.brief else state.attribution,
            )
    except PluginError as error:
        empty: dict[str, Any] = {"findings": {}, "not_diagnosed": {}, "not_attributed": ""}
        return {**empty, "failed": error_response(error)}
    finally:
        if request.checks == 1:
            diagnosis.close()
    left = budgets.not_diagnosed[request.code]
    return {
        "findings": findings_record(findings),
        "not_diagnosed": {request.code: left} if left else {},
        "not_attributed": BRIEF if request.brief and findings else state.attribution.failure,
    }
