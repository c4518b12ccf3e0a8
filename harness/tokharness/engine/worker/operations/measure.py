"""Take one measure of the target."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.engine.measures import measures
from tokharness.engine.responses import error_response
from tokharness.engine.worker.vocabularies import target_facts
from tokharness.errors import PluginError

if TYPE_CHECKING:
    from tokharness.engine.requests import MeasureRequest
    from tokharness.engine.worker.state import WorkerState


def respond(state: WorkerState, request: MeasureRequest) -> dict[str, Any]:
    """Measure the original target, on cases of all families, whatever the run selects."""
    state.set_crashers(request.crashers)
    facts = target_facts(state.subject, state.options.profile)
    cases = {family.name: partial(family.cases, facts) for family in plugins.families().values()}
    subject = state.timed_subject().with_original_target()
    subject = replace(subject, cases=cases, state=state.measure_state)
    try:
        return {"measure": measures()[request.name](subject)}
    except PluginError as error:
        return {"measure": None, "failed": error_response(error)}
