"""Request the measures of a target, and the encodings of the texts of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.events import Event, MetricsCollected, SkipRecorded
from tokharness.engine.measures import measures
from tokharness.engine.requests import CostRequest, EncodeRequest, MeasureRequest
from tokharness.engine.responses import plugin_error
from tokharness.engine.run.diagnosis_requests import SPENT
from tokharness.engine.run.outside_kills import lost_response
from tokharness.engine.run.parallel_costs import cost_requests, parallel_record
from tokharness.errors import TargetDeath
from tokharness.model import Skip
from tokharness.targets.processes.crashers import is_spent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.engine.requests import CrasherRows, Request
    from tokharness.engine.run.diagnosis_requests import Results
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.errors import PluginError
    from tokharness.model import Finding
    from tokharness.parallel.model import ParallelText

__all__ = ["VOCABULARY", "request_all_measures", "request_measures", "texts_to_draw"]

VOCABULARY = "vocabulary"
"""The measure that a run takes in any case if it only checks the vocabulary."""

MAX_LENGTH = 200
"""Characters of a text that the report draws as tokens."""

TEXTS_PER_REQUEST = 500


def request_all_measures(
    workers: Workers,
    results: Results,
    findings: Sequence[Finding],
    parallel: ParallelText | None = None,
    *,
    names: Collection[str] | None = None,
) -> Iterator[Event]:
    """Yield the measures, after a skip for each measure that kills the process of the target.

    With ``names`` only those of these names are taken. If texts are known that kill it, the target
    is measured in a process of its own.

    Raises:
        KeyboardInterrupt: the run was interrupted; a skip was yielded before.

    """
    texts = texts_to_draw(findings)
    parts = [texts[at : at + TEXTS_PER_REQUEST] for at in range(0, len(texts), TEXTS_PER_REQUEST)]
    try:
        yield from request_measures(
            workers,
            measures() if names is None else names,
            parts=parts,
            crashers=results.crashers,
            guarded=results.has_crashers,
            parallel=parallel,
        )
    except KeyboardInterrupt:
        skip = Skip(workers.pool.spec, "the metrics", "the run was interrupted")
        yield SkipRecorded(skip)
        raise


def request_measures(
    workers: Workers,
    names: Collection[str],
    *,
    parts: Sequence[Sequence[str]] = (),
    crashers: CrasherRows = (),
    guarded: bool = False,
    parallel: ParallelText | None = None,
) -> Iterator[Event]:
    """Yield the measures of these names, and the encodings of the texts of all parts.

    A ``parallel`` text is measured, too.

    Raises:
        PluginError: a measure failed; the others were yielded before.

    """
    spec = workers.pool.spec
    requests = _requests(names, parts, parallel, crashers)
    responses: dict[str, dict[str, Any]] = {}
    if is_spent(crashers):
        yield from (SkipRecorded(Skip(spec, what, SPENT)) for what in requests)
        requests = {}
    deaths = {} if guarded else workers.call_unguarded(requests, responses)
    answered: dict[str, dict[str, Any]] = {}
    error: PluginError | None = None
    for what, request in requests.items():
        try:
            response = responses[what] if what in responses else workers.call_guarded(request)
        except TargetDeath as death:
            yield SkipRecorded(lost_response(spec, what, death))
            continue
        if kills := [death for death in deaths.get(what, ()) if death.is_external]:
            workers.shown_again(request, kills)
        if failed := plugin_error(response):
            yield SkipRecorded(Skip(spec, what, str(failed)))
            error = error or failed
        else:
            answered[what] = response
    yield MetricsCollected(spec, _metrics(requests, answered, parallel))
    if error is not None:
        raise error


def _requests(
    names: Collection[str],
    parts: Sequence[Sequence[str]],
    parallel: ParallelText | None,
    crashers: CrasherRows,
) -> dict[str, Request]:
    """Return the requests, each by what a skip calls it."""
    requests: dict[str, Request] = {
        f"the measure of {name.replace('_', ' ')}": MeasureRequest(name, crashers) for name in names
    }
    for number, part in enumerate(parts, 1):
        what = f"part {number} of the tokens of findings"
        requests[what] = EncodeRequest(part, crashers)
    if parallel is not None:
        requests |= cost_requests(parallel, crashers)
    return requests


def _metrics(
    requests: Mapping[str, Request],
    answered: Mapping[str, dict[str, Any]],
    parallel: ParallelText | None,
) -> dict[str, Any]:
    """Return the measures and the encodings of texts, of the requests that were answered."""
    values: dict[str, Any] = {}
    encodings: list[dict[str, Any]] = []
    costs: dict[str, dict[str, Any]] = {}
    for what, response in answered.items():
        request = requests[what]
        if isinstance(request, MeasureRequest):
            values[request.name] = response["measure"]
        elif isinstance(request, CostRequest):
            costs[what] = response["cost"]
        else:
            encodings += _encodings(response)
    if parallel is not None and costs:
        values["parallel"] = parallel_record(parallel, costs)
    return {**values, "texts": encodings}


def texts_to_draw(findings: Sequence[Finding]) -> list[str]:
    """Return the texts of findings, with their twins, that are short enough to be drawn."""
    texts: dict[str, None] = {}
    for finding in findings:
        if finding.code != crashes_or_hangs.CODE:
            for text in (finding.text, finding.evidence.get("twin")):
                if isinstance(text, str) and len(text) <= MAX_LENGTH:
                    texts[text] = None
    return list(texts)


def _encodings(response: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the encodings, each with that of the reference or None."""
    rows, reference_rows = response["encodings"], response["of_reference"]
    if reference_rows is None:
        return [{**row, "reference": None} for row in rows]
    pairs = zip(rows, reference_rows, strict=True)
    return [{**row, "reference": reference} for row, reference in pairs]
