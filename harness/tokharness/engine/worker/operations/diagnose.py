"""Diagnose failing texts, with a fresh process to confirm each finding."""

from __future__ import annotations

import contextlib
from functools import cache
from typing import TYPE_CHECKING, Any

from tokharness.engine.finding_records import findings_record
from tokharness.engine.responses import error_response
from tokharness.engine.worker.budget import DiagnosisBudgets
from tokharness.engine.worker.findings import diagnose_failures
from tokharness.errors import PluginError
from tokharness.targets.loading import guarded_target

if TYPE_CHECKING:
    from tokharness.engine.requests import DiagnoseRequest
    from tokharness.engine.worker.state import WorkerState
    from tokharness.model import Finding, Target

__all__ = ["respond"]


def respond(state: WorkerState, request: DiagnoseRequest) -> dict[str, Any]:
    """Diagnose the texts; the fresh process, if one was started, ends with the diagnosis."""
    state.set_crashers(request.crashers)
    with contextlib.ExitStack() as on_exit:

        @cache
        def load_fresh() -> Target:
            target = guarded_target(state.subject.target.spec)
            on_exit.callback(target.close)
            return target

        can_load_fresh = state.timer is not None and not state.remote
        subject = state.timed_subject()
        findings: dict[str, list[Finding]] = {}
        budgets = DiagnosisBudgets(sum(check.code in request.failing for check in state.checks))
        failed: dict[str, Any] = {}
        for check in state.checks:
            try:
                findings |= diagnose_failures(
                    [check],
                    subject,
                    request.failing,
                    load_fresh if can_load_fresh else None,
                    budgets,
                    state.attribution,
                )
            except PluginError as error:  # the findings of other checks are not lost
                failed = failed or {"failed": error_response(error)}
        left = {code: count for code, count in budgets.not_diagnosed.items() if count}
        return {
            "findings": findings_record(findings),
            "not_diagnosed": left,
            "not_attributed": state.attribution.failure,
            **failed,
        }
