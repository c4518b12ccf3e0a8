"""Run the audit of one check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.finding_records import findings_record
from tokharness.engine.responses import error_response
from tokharness.engine.worker.findings import run_audits
from tokharness.errors import PluginError
from tokharness.plugins.calls import PluginFunction
from tokharness.targets.processes.json_lines import to_line

if TYPE_CHECKING:
    from tokharness.engine.requests import AuditRequest
    from tokharness.engine.worker.state import WorkerState

__all__ = ["respond"]


def respond(state: WorkerState, request: AuditRequest) -> dict[str, Any]:
    """Run the audit."""
    checks = [check for check in state.checks if check.code == request.code]
    try:
        findings = findings_record(run_audits(checks, state.timed_subject()))
        for check in checks:
            with PluginFunction("check", check.module, "audit"):
                to_line(findings)  # raises if the evidence is not plain data
    except PluginError as error:
        return {"findings": {}, "failed": error_response(error)}
    return {"findings": findings}
