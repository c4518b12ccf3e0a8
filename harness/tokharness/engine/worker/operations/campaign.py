"""Run one round of a campaign, return the features of all rounds, and triage failing texts.

The triage finds new causes among the failing texts of a round quickly, while the campaign runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.worker.diagnose_texts import explain_texts
from tokharness.engine.worker.grouping import group_by_cause
from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import TargetDeath
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.engine.requests import FeaturesRequest, RoundRequest
    from tokharness.engine.worker.state import WorkerState
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject


def run_round(state: WorkerState, request: RoundRequest) -> dict[str, Any]:
    """Run the round."""
    state.set_crashers(request.crashers)
    response = state.rounds.run(request, guarded=state.guarded)
    subject = replace(state.timed_subject(), state=state.triage_state)
    checks = state.checks
    if state.guarded:  # each call of a diagnosis is a request to another process, which is slow
        checks = [check for check in checks if check.code == crashes_or_hangs.CODE]
    try:
        discovered = triage(checks, subject, response["failing"], request.known_causes)
    except TargetDeath:  # the final diagnosis reports the causes
        discovered = []
    crashers = state.crashers(request.crashers)
    return {"crashers": crashers, "discovered": discovered, **response}


def features(state: WorkerState, _: FeaturesRequest) -> dict[str, Any]:
    """Return the features as plain data."""
    return state.rounds.features()


TEXTS_PER_CHECK = 8
"""Number of a check's shortest texts that are diagnosed, and size of a further, even sample."""

MAX_LENGTH = 10_000
"""Most characters of a text; longer texts wait for the final diagnosis if a shorter text fails."""


def triage(
    checks: Sequence[Check],
    subject: Subject,
    failing: Mapping[str, Sequence[str]],
    known_causes: Sequence[Sequence[Any]],
) -> list[dict[str, Any]]:
    """Return a record of each new cause, with the shortest text that shows it.

    ``known_causes`` has the code of the check, the kind and the parameters of each known cause.
    """
    records = []
    for check in checks:
        texts = failing.get(check.code)
        if not texts or check.diagnose is None:
            continue
        causes = {
            Cause(kind, tuple((name, value) for name, value in parameters))
            for code, kind, parameters in known_causes
            if code == check.code
        }
        with subject.state.expect(causes):
            diagnosed = explain_texts(check, subject, dict.fromkeys(_sample(texts), ""))
        new = [text for text in diagnosed if text.causes and causes.isdisjoint(text.causes)]
        for group in group_by_cause(new):
            text = min((member.text for member in group.members), key=len)
            records.append(_record(check, group.cause, text))
    return records


def _sample(texts: Sequence[str]) -> list[str]:
    short = [text for text in texts if len(text) <= MAX_LENGTH] or [min(texts, key=len)]
    return [*sorted(short, key=len)[:TEXTS_PER_CHECK], *sample_evenly(short, TEXTS_PER_CHECK)]


def _record(check: Check, cause: Cause, text: str) -> dict[str, Any]:
    return {
        "code": check.code,
        "kind": cause.kind,
        "parameters": [list(parameter) for parameter in cause.parameters],
        "verdict": cause.verdict.value,
        "message": cause.message,
        "weak": cause.weak,
        "text": text,
    }
