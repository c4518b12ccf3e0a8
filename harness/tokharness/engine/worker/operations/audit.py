"""Run the audit of one check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.finding_records import findings_record
from tokharness.engine.worker.findings import run_audits

if TYPE_CHECKING:
    from tokharness.engine.requests import AuditRequest
    from tokharness.engine.worker.state import WorkerState

__all__ = ["respond"]


def respond(state: WorkerState, request: AuditRequest) -> dict[str, Any]:
    """Run the audit."""
    checks = [check for check in state.checks if check.code == request.code]
    return {"findings": findings_record(run_audits(checks, state.timed_subject()))}
