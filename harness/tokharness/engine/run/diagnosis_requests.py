"""Request the diagnosis of failing texts, the audits and the snapshot of a target."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.boundary.entry_points import PLAIN_ENTRY_POINTS
from tokharness.checks import crashes_or_hangs
from tokharness.config import RUN_LIMIT
from tokharness.engine.events import findings_of
from tokharness.engine.requests import TOO_LONG, AuditRequest, DiagnoseRequest, SnapshotRequest
from tokharness.engine.responses import plugin_error
from tokharness.engine.run.collect_responses import (
    AUDIT,
    DIAGNOSIS,
    SNAPSHOT,
    SPENT,
    UNCERTAIN,
    Collected,
    Response,
    Results,
    collect,
    requests_together,
)
from tokharness.engine.run.death_findings import (
    death_finding,
    deaths_of_texts,
    name_deaths,
    undiagnosed_findings,
    unexplained_death_findings,
)
from tokharness.engine.run.processor_time import LEAST_SECONDS
from tokharness.engine.run.stops import MOST_REST, STOPS, reason_to_stop
from tokharness.engine.worker.budget import SECONDS
from tokharness.errors import TargetDeath
from tokharness.model import Verdict
from tokharness.targets.processes.crashers import LIMIT
from tokharness.targets.processes.deadlines import crowding
from tokharness.targets.snapshot import earlier_record, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.engine.requests import Request
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.stops import StopError
    from tokharness.model import Finding
    from tokharness.targets.snapshot import ChangedText, EarlierState, Golden, Snapshot

__all__ = [
    "SPENT",
    "AuditPlan",
    "DiagnosisResult",
    "Response",
    "Results",
    "SnapshotPlan",
    "audit_requests",
    "request_diagnosis",
    "requests_together",
    "without_diagnosis",
]

BUDGET_USED_UP = (
    "the budget of its diagnosis is used up; the shortest texts of all families were diagnosed"
)
INTERRUPTED = "the run was interrupted; the shortest texts were diagnosed"

SHORTEST_SECONDS, SHORTEST_TEXTS = 2.0, 4
"""Seconds after an interrupt for the diagnosis of the shortest texts, and texts of each check, so
that the report has their causes. A busy machine has more seconds."""

INTERRUPTED_SHARE = 0.7
"""Share of the seconds after an interrupt that a diagnosis may use; one step of it may be long."""

AUDIT_SPENT = (
    f"the target is too slow, or ends or hangs too often, for it in this time, {RUN_LIMIT} sets it"
)


@dataclass(frozen=True, slots=True)
class SnapshotPlan:
    """What a snapshot is of.

    ``golden`` has its texts: () for new texts, None for no snapshot. ``compare_with`` has further
    data of the earlier snapshot, and ``changed`` has cases of the run whose results differ.
    """

    golden: Sequence[Golden] | None = None
    compare_with: EarlierState | None = None
    changed: Sequence[ChangedText] = ()


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What the audits need not do.

    ``responses`` has the response of each finished audit, by the name of its request; ``answers``
    has the answers of the reference in earlier runs.
    """

    responses: Mapping[str, Response] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DiagnosisResult:
    """Findings by the code of the check, for each response; the snapshot; and the answers.

    ``skipped`` has the name of each request without a response, and the reason; ``unfinished``
    names the skipped requests because of which the run is not finished. ``error`` is the error that
    stopped the requests, or the first error of a plugin; in the latter case the findings of all
    other plugins are complete.
    """

    findings: list[dict[str, list[Finding]]]
    snapshot: Snapshot | None
    skipped: list[tuple[str, str]]
    error: StopError | None
    answers: Mapping[str, str] = field(default_factory=dict)
    unfinished: Collection[str] = ()


def audit_requests(
    checks: Sequence[str], answers: Mapping[str, str] = MappingProxyType({})
) -> dict[str, AuditRequest]:
    """Return the requests for the audits of checks, by name, with the known ``answers``."""
    return {
        f"{AUDIT} of {code}": AuditRequest(code, dict(answers) if check.needs_reach else {})
        for code in checks
        if (check := plugins.checks()[code]).audit is not None
    }


def _diagnosis_requests(
    workers: Workers, results: Results, checks: Sequence[str]
) -> dict[str, DiagnoseRequest]:
    """Return a request for each check that has failing texts, by name; less time if interrupted."""
    failing = {code: results.failing[code] for code in checks if results.failing.get(code)}
    last = workers.pool.interrupt_at
    seconds = min(SECONDS, max(workers.pool.time.of_diagnoses(), LEAST_SECONDS * len(failing)))
    if last is not None:
        seconds = max((last - time.monotonic()) * INTERRUPTED_SHARE, 0.1)
    return {
        f"{DIAGNOSIS} of {len(texts):,} texts that fail {code}": DiagnoseRequest(
            code, texts, results.crashers, len(failing) - place, seconds
        )
        for place, (code, texts) in enumerate(failing.items())
    }


def request_diagnosis(
    workers: Workers,
    results: Results,
    checks: Sequence[str],
    snapshot: SnapshotPlan | None,
    audits: AuditPlan,
) -> DiagnosisResult:
    """Diagnose failing texts, audit the target, and take a snapshot if one is wanted.

    Requests go to the unguarded workers at once, unless a text is known to kill them. A request
    that kills its worker goes to the guarded worker. A death that no text explains is a finding.
    """
    requests: dict[str, Request] = {
        **_diagnosis_requests(workers, results, checks),
        **_snapshot_request(snapshot),
        **audit_requests(checks, audits.answers),
    }
    collected = Collected(dict(audits.responses), [], [])
    error: StopError | None = None
    is_last = workers.pool.interrupt_at is not None
    shortest = _diagnose_shortest(workers, results, requests) if is_last else {}
    try:
        collect(workers, results, requests, collected)
    except STOPS as stop:
        error = stop
        if isinstance(error, KeyboardInterrupt) and not is_last:
            rest = {name: one for name, one in requests.items() if name not in collected.responses}
            shortest = _diagnose_shortest(workers, results, rest)
        collected.responses.update(shortest | collected.responses)
        known = {*collected.responses, *dict(collected.skipped)}
        left = [name for name in requests if name not in known]
        collected.skipped.extend((name, reason_to_stop(error)) for name in left)
    return _result(workers, results, requests, collected, error)


def _diagnose_shortest(
    workers: Workers, results: Results, requests: Mapping[str, Request]
) -> dict[str, Response]:
    """Diagnose the shortest failing texts of each check, briefly, after an interrupt.

    Texts that are known to end or hang the target are not run again. Return the responses by the
    names of the whole requests.
    """
    whole = {
        name: request
        for name, request in requests.items()
        if isinstance(request, DiagnoseRequest) and request.code != crashes_or_hangs.CODE
    }
    pool, last = workers.pool, workers.pool.interrupt_at
    now = time.monotonic()
    pool.interrupt_at = now + SHORTEST_SECONDS * crowding(MOST_REST) if last is None else last
    seconds = max(pool.interrupt_at - now, 0.0)
    brief: dict[str, Request] = {
        name: replace(
            request,
            failing=_shortest(request.failing),
            checks=1,
            seconds=seconds,
            most=seconds,
            brief=True,
        )
        for name, request in whole.items()
    }
    collected = Collected({}, [], [])
    with suppress(*STOPS):
        collect(workers, results, brief, collected)
    pool.interrupt_at = last
    for name, response in collected.responses.items():
        code, failing = whole[name].code, whole[name].failing
        if "not_diagnosed" in response:
            left = response["not_diagnosed"].get(code, 0)
            more = len(failing) - len(_shortest(failing))
            response["not_diagnosed"] = {code: left + more} if left + more else {}
    return collected.responses


def _shortest(failing: Mapping[str, str]) -> dict[str, str]:
    """Return the shortest failing texts, with the family of each."""
    texts = nsmallest(SHORTEST_TEXTS, failing, key=lambda text: (len(text), text))
    return {text: failing[text] for text in texts}


def without_diagnosis(workers: Workers, results: Results, error: StopError) -> DiagnosisResult:
    """Return the result if no request can be sent because of an error."""
    return _result(workers, results, {}, Collected({}, [], []), error)


def _result(
    workers: Workers,
    results: Results,
    requests: Mapping[str, Request],
    collected: Collected,
    error: StopError | None,
) -> DiagnosisResult:
    spec, responses = workers.pool.spec, collected.responses
    deaths = collected.deaths + unexplained_death_findings(spec, _unexplained(workers, results))
    deaths += [death_finding(spec, DIAGNOSIS, death) for death in _deaths_of_other_calls(results)]
    for name in requests:
        if name in responses and (failed := plugin_error(responses[name])):
            collected.skipped.append((name, str(failed)))
            error = error or failed
    has_limit = workers.pool.options.run_seconds is not None
    for name in requests:
        for code, count in responses.get(name, {}).get("not_diagnosed", {}).items():
            what = f"diagnosis of {count:,} texts that fail {code}"
            is_interrupted = isinstance(error, KeyboardInterrupt) or workers.pool.interrupt_at
            collected.skipped.append((what, INTERRUPTED if is_interrupted else BUDGET_USED_UP))
            if count == len(results.failing.get(code, ())):
                collected.unfinished.add(what)  # the causes of failing texts are unknown
        if responses.get(name, {}).get("is_spent"):
            collected.skipped.append((name, AUDIT_SPENT))
            if not results.has_crashers and (workers.has_fast_target or not has_limit):
                collected.unfinished.add(name)
        _skip_what_was_not_judged(name, responses.get(name, {}), collected)
    failures = (responses[name].get("not_attributed", "") for name in requests if name in responses)
    reasons = dict.fromkeys(filter(None, failures))
    collected.skipped.extend(("whether findings are the library's", reason) for reason in reasons)
    received = [responses[name] for name in requests if name in responses and name != SNAPSHOT]
    findings = [
        name_deaths(findings_of(response["findings"]), results.crashers) for response in received
    ]
    findings += _undiagnosed(spec, results, requests, collected, error)
    snapshot = responses.get(SNAPSHOT, {}).get("snapshot")
    return DiagnosisResult(
        [*findings, {crashes_or_hangs.CODE: deaths}],
        None if snapshot is None else snapshot_of(snapshot),
        collected.skipped,
        error,
        dict(chain.from_iterable(one.get("answers", {}).items() for one in received)),
        collected.unfinished,
    )


def _skip_what_was_not_judged(name: str, response: Response, collected: Collected) -> None:
    if lost := response.get("without_result"):
        collected.skipped.append((f"part of {name}", _calls_without_result(lost)))
    for reason, count in response.get("not_judged", {}).items():
        things, _, why = reason.partition(": ")
        what = f"{count:,} {things} in {name}"
        collected.skipped.append((what, why))
        if reason == TOO_LONG:
            collected.unfinished.add(what)


def _undiagnosed(
    spec: str,
    results: Results,
    requests: Mapping[str, Request],
    collected: Collected,
    error: StopError | None,
) -> Iterator[dict[str, list[Finding]]]:
    """Yield findings for failing texts whose diagnosis has no response.

    If a text ended the target, its death is known without a diagnosis.
    """
    skipped = dict(collected.skipped)
    reasons = {
        request.code: reason_to_stop(error) if error else skipped[name]
        for name, request in requests.items()
        if isinstance(request, DiagnoseRequest) and name not in collected.responses
    }
    out_of_time: set[str] = set()
    for name, request in requests.items():
        response = collected.responses.get(name)
        if isinstance(request, DiagnoseRequest) and response and not response.get("failed"):
            left = response["not_diagnosed"].get(request.code, 0)
            if left == len(request.failing):
                out_of_time.add(request.code)
                reasons[request.code] = BUDGET_USED_UP.partition(";")[0]
    for code, texts in results.failing.items():
        if not requests and error is not None:
            reasons[code] = reason_to_stop(error)
        deaths = {}
        if code in reasons and code == crashes_or_hangs.CODE:
            deaths = deaths_of_texts(spec, results.crashers, texts)
            yield deaths
        if code in reasons and not deaths:
            # With more time, a diagnosis may find facts.
            is_open = code in out_of_time or isinstance(error, KeyboardInterrupt)
            verdict = Verdict.RISK if is_open else Verdict.BUG
            yield undiagnosed_findings(spec, {code: texts}, reasons[code], verdict)


def _calls_without_result(counts: Mapping[str, int]) -> str:
    """Say how many calls of an audit with a text have no result, and why."""
    total = sum(counts.values())
    calls = "1 call with a text has" if total == 1 else f"{total:,} calls with a text have"
    return f"{calls} no result: {'; '.join(sorted(counts))}"


def _unexplained(workers: Workers, results: Results) -> list[tuple[str, str]]:
    """Return the deaths that no text explains, also of workers that could not load the target."""
    deaths = results.unexplained_deaths
    if not results.has_crashers:
        own = [death for death in workers.deaths if not death.is_external]
        deaths = [*deaths, *(("", str(death)) for death in own if death.reason not in UNCERTAIN)]
    return deaths


def _deaths_of_other_calls(results: Results) -> Iterator[TargetDeath]:
    """Yield the deaths in calls without a text, such as a call for the bytes of a token."""
    for call, _, reason, detail in results.crashers:
        if reason is not None and call not in (*PLAIN_ENTRY_POINTS, "decode", LIMIT):
            yield TargetDeath(reason, detail)


def _snapshot_request(plan: SnapshotPlan | None) -> dict[str, SnapshotRequest]:
    if plan is None or plan.golden is None:
        return {}
    rows = [[text.group, text.text, text.ids] for text in plan.golden]
    earlier = None if plan.compare_with is None else earlier_record(plan.compare_with)
    changed = [[one.group, one.text, one.after] for one in plan.changed]
    return {SNAPSHOT: SnapshotRequest(rows, earlier, changed)}
