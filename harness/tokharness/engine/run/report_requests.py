"""Data of a report besides findings: measures, encodings, costs, rows of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.boundary.attributes import LARGEST_VOCABULARY
from tokharness.checks import crashes_or_hangs
from tokharness.engine.events import Event, MetricsCollected, SkipRecorded, TokensListed
from tokharness.engine.measures import measures
from tokharness.engine.requests import CostRequest, EncodeRequest, MeasureRequest, TokensRequest
from tokharness.engine.responses import plugin_error
from tokharness.engine.run.death_findings import lost_response
from tokharness.engine.run.diagnosis_requests import SPENT
from tokharness.errors import TargetDeath
from tokharness.model import Skip, TokenRow
from tokharness.targets.processes.crashers import is_spent
from tokharness.targets.processes.protocol import nonsense_death
from tokharness.unicode.properties import main_script, script_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.engine.requests import CrasherRows, Request
    from tokharness.engine.run.diagnosis_requests import Results
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.errors import PluginError
    from tokharness.model import Finding
    from tokharness.parallel.model import LanguageText, ParallelText

# Count the tokens of a parallel text: a request for each language, and the premiums of all.

MAX_LOST = 0.1
"""Largest share of characters that a target may lose: fewer tokens for less text cost no less.

Petrov et al. 2023 leave out a language if a tenth of its characters are unknown to a tokenizer.
"""

FOR_SCRIPT = 2_000
"""Number of a text's first characters that determine its script."""


def cost_requests(parallel: ParallelText, crashers: CrasherRows) -> dict[str, CostRequest]:
    """Return a request for the text of each language, by a name for a skip."""
    return {_name(one): CostRequest(one.text, crashers) for one in parallel.languages}


def _name(language: LanguageText) -> str:
    return f"the parallel text in {language.code}"


def parallel_record(
    parallel: ParallelText, costs: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the measure of a parallel text from the costs, by the names of the requests."""
    english = costs.get(_name(parallel.languages[0]))
    return {
        "source": parallel.source,
        "lines": parallel.lines,
        "languages": [_row(one, costs.get(_name(one)), english) for one in parallel.languages],
        "left_out": [{"code": code, "reason": reason} for code, reason in parallel.left_out],
    }


def _row(
    language: LanguageText, cost: Mapping[str, Any] | None, english: Mapping[str, Any] | None
) -> dict[str, Any]:
    text = language.text
    unknown = {"tokens": None, "lossless": False, "lost_characters": 0}
    size = {"characters": len(text), "bytes": len(text.encode("utf-8", "replace"))}
    return {
        "code": language.code,
        "name": language.name,
        "script": script_name(main_script(text[:FOR_SCRIPT])),
        **(cost or {**size, **unknown}),
        "premium": _premium(cost, english),
    }


def _premium(cost: Mapping[str, Any] | None, english: Mapping[str, Any] | None) -> float | None:
    """Return the tokens relative to English; None if a text is not encoded, or is lost."""
    if not (cost and english and _has_cost(cost) and _has_cost(english)):
        return None
    return float(cost["tokens"] / english["tokens"])


def _has_cost(cost: Mapping[str, Any]) -> bool:
    return bool(cost["tokens"]) and cost["lost_characters"] <= MAX_LOST * cost["characters"]


# Request the rows of all tokens of a target, in parts.

IDS_PER_REQUEST = 20_000

WHAT = "the rows of the tokens"
"""What a skip names as missing."""


def request_tokens(workers: Workers, *, audited: bool, inside: bool = False) -> Iterator[Event]:
    """Yield the rows of all tokens, or a skip if the target ends its process.

    With ``inside``, tokens without bytes of their own have those inside a text.

    The same worker responds to all requests, so that it prepares the rows only once.
    """
    spec = workers.pool.spec
    rows: list[TokenRow] = []
    size = IDS_PER_REQUEST
    try:
        while len(rows) < size:
            request = TokensRequest(len(rows), IDS_PER_REQUEST, audited, inside)
            response = _response(workers, request)
            size = min(response["n_vocab"], LARGEST_VOCABULARY)
            rows += _rows(response, range(len(rows), min(len(rows) + IDS_PER_REQUEST, size)))
    except TargetDeath as death:
        yield SkipRecorded(lost_response(spec, WHAT, death))
        return
    yield TokensListed(spec, tuple(rows))


def _response(workers: Workers, request: TokensRequest) -> dict[str, Any]:
    responses: dict[str, dict[str, Any]] = {}
    workers.call_unguarded({WHAT: request}, responses)
    return responses[WHAT] if WHAT in responses else workers.call_guarded(request)


def _rows(response: Mapping[str, Any], numbers: range) -> Iterator[TokenRow]:
    """Yield the rows of these ids; raises TargetDeath if bytes are not written as hex digits."""
    for number in numbers:
        key = str(number)
        values = {
            name: column[key]
            for name, column in response.items()
            if name != "n_vocab" and key in column
        }
        if "bytes" in values:
            try:
                values["bytes"] = bytes.fromhex(values["bytes"])
            except ValueError:
                line = values["bytes"].encode("utf-8", "replace")
                raise nonsense_death("bytes that are not hex digits", line) from None
        if "classes" in values:
            values["classes"] = tuple(values["classes"])
        yield TokenRow(number, **values)


VOCABULARY = "vocabulary"
"""The measure that a run always takes if it only checks the vocabulary."""

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

    With ``names``, only the named measures are taken. If a text is known to kill the target, it is
    measured in a process of its own.

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
    """Yield the named measures, and the encodings of the texts of all parts.

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
    """Return the requests by the names that skips give them."""
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
    """Return each encoding of the target with the encoding of the reference, or with None."""
    rows, reference_rows = response["encodings"], response["of_reference"]
    if reference_rows is None:
        return [{**row, "reference": None} for row in rows]
    pairs = zip(rows, reference_rows, strict=True)
    return [{**row, "reference": reference} for row, reference in pairs]
