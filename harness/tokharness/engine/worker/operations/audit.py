"""Run the audit of one check."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.engine.events import findings_record
from tokharness.engine.requests import TOO_LONG
from tokharness.engine.responses import error_response
from tokharness.engine.worker.budget import limited
from tokharness.engine.worker.findings import run_audits
from tokharness.errors import BudgetSpentError, PluginError
from tokharness.model import Verdict
from tokharness.plugins.calls import PluginFunction
from tokharness.targets.processes.json_lines import to_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.engine.requests import AuditRequest
    from tokharness.engine.worker.state import WorkerState

EMPTY: Mapping[str, Any] = MappingProxyType(
    {
        "findings": {},
        "without_result": {},
        "not_judged": {},
        "deaths": [],
        "not_attributed": "",
        "is_spent": False,
        "answers": {},
    }
)


def respond(state: WorkerState, request: AuditRequest) -> dict[str, Any]:
    """Run the audit, and count the texts that have no result, by the reason.

    Only calls of the target are counted, not calls of a reference in a process of its own.
    """
    answers = state.subject.state.answers
    if not state.guarded:
        answers.known.update(request.answers)
    checks = [check for check in state.checks if check.code == request.code]
    subject = state.timed_subject()
    remote = state.remote
    subject.not_judged.clear()
    too_long = subject.target.calls.too_long
    before = Counter() if remote is None else remote.crashers.unanswered.copy()
    known = 0 if remote is None else len(remote.crashers.rows)
    try:
        seconds = state.options.audit_seconds
        with limited(
            subject, seconds if request.seconds is None else min(seconds, request.seconds)
        ):
            audited = run_audits(checks, subject, state.attribution)
        findings = findings_record(audited)
        for check in checks:
            with PluginFunction("check", check.module, "audit"):
                to_line(findings)  # raises if the evidence is not plain data
    except PluginError as error:
        return {**EMPTY, "failed": error_response(error)}
    except BudgetSpentError:
        return {**EMPTY, "is_spent": True}
    new = Counter() if remote is None else remote.crashers.unanswered - before
    reported = {
        value
        for of_check in audited.values()
        for finding in of_check
        for _, value in finding.cause.parameters
    }
    unanswered = {words: count for (name, words), count in new.items() if name not in reported}
    too_long = subject.target.calls.too_long - too_long
    # A bug or a risk of the audit already reports such results.
    if too_long and all(one.verdict is Verdict.FACT for of in audited.values() for one in of):
        subject.not_judged[TOO_LONG] = too_long
    return {
        "findings": findings,
        "without_result": unanswered,
        "not_judged": dict(subject.not_judged),
        "deaths": [] if remote is None else [row for row in remote.crashers.rows[known:] if row[2]],
        "not_attributed": state.attribution.failure,
        "is_spent": False,
        "answers": {} if state.guarded else answers.given,
    }
