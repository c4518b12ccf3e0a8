"""Explain why texts fail a check, and say which texts each cause has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.checks import decoding_differs_from_reference
from tokharness.engine.events import finding_record
from tokharness.engine.worker.budget import DiagnosisBudgets, limited
from tokharness.engine.worker.findings import found_groups

if TYPE_CHECKING:
    from tokharness.engine.requests import ExplainRequest
    from tokharness.engine.worker.state import WorkerState


def respond(state: WorkerState, request: ExplainRequest) -> dict[str, Any]:
    """Return a finding for each cause, with the places of its texts."""
    state.set_crashers(request.crashers)
    subject = state.timed_subject()
    check = plugins.checks()[request.code]
    if check.code == decoding_differs_from_reference.CODE:  # the ids of a text, not their parts
        check = replace(check, diagnose=decoding_differs_from_reference.diagnose_whole)
    places = {text: place for place, text in enumerate(request.failing)}
    budgets = DiagnosisBudgets(1, request.seconds)
    with limited(subject, budgets.last_seconds):
        budget = budgets.next(subject)
        found, groups, left = found_groups(check, subject, request.failing, budget)
    return {
        "findings": list(map(finding_record, found)),
        "members": [[places[member.text] for member in group.members] for group in groups],
        "not_diagnosed": left,
    }
