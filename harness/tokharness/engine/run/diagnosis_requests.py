"""Request the diagnosis of failing texts, the audits and the snapshot of a target."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from tokharness import plugins
from tokharness.boundary.entry_point import PLAIN_ENTRY_POINTS
from tokharness.checks import crashes_or_hangs
from tokharness.engine.finding_records import findings_of
from tokharness.engine.requests import AuditRequest, DiagnoseRequest, SnapshotRequest
from tokharness.engine.responses import plugin_error
from tokharness.engine.run.death_findings import (
    death_finding,
    deaths_of_texts,
    name_deaths,
    undiagnosed_findings,
    unexplained_death_findings,
)
from tokharness.engine.run.outside_kills import WorkerLostError
from tokharness.engine.run.stops import STOPS, reason_to_stop
from tokharness.engine.worker.budget import SECONDS
from tokharness.errors import TargetDeath
from tokharness.model import Verdict
from tokharness.targets.processes.crashers import LIMIT, is_spent
from tokharness.targets.snapshot import earlier_record, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.engine.requests import CrasherRows, Request
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

Response = dict[str, Any]
DIAGNOSIS, AUDIT, SNAPSHOT = "the diagnosis", "the audit", "the golden texts"
"""Names of requests; fingerprints of findings and baselines have them, so they must stay."""

BUDGET_USED_UP = (
    "the budget of its diagnosis is used up; the shortest texts of all families were diagnosed"
)
PLACES: Mapping[type[Request], str] = MappingProxyType(
    {DiagnoseRequest: DIAGNOSIS, AuditRequest: AUDIT}
)
"""Names of requests of which there is one for each check."""

INTERRUPTED_SHARE = 0.7
"""Share of the seconds after an interrupt that a diagnosis may use; one step of it may be long."""

AUDIT_SPENT = "the target is too slow, or ends or hangs too often, for it in this profile"
SPENT = "too much time was spent on texts that end or hang the target"
UNCERTAIN = ("time limit", "memory limit", "SIGINT")
"""Deaths of which a request, and not the target, may be the reason if a guarded worker responds."""


class Results(Protocol):
    """Results of all units of a run, or of all rounds of a campaign."""

    @property
    def failing(self) -> dict[str, dict[str, str]]:
        """Failing texts to diagnose, with the family of each, by the code of the check."""

    @property
    def crashers(self) -> CrasherRows:
        """Rows of the texts that crash or hang the target."""

    @property
    def has_crashers(self) -> bool:
        """Whether a text is known that crashes or hangs the target."""

    @property
    def unexplained_deaths(self) -> list[tuple[str, str]]:
        """Family and death of workers that no single text kills; the family may be empty."""


@dataclass(frozen=True, slots=True)
class SnapshotPlan:
    """What a snapshot is of.

    ``golden`` are its texts, () for new ones and None for no snapshot. ``compare_with`` is what
    else is known of the one before, and ``changed`` are cases of the run with other results.
    """

    golden: Sequence[Golden] | None = None
    compare_with: EarlierState | None = None
    changed: Sequence[ChangedText] = ()


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What the audits need not do.

    ``responses`` has the response of each finished audit, by the name of its request; ``answers``
    has what the reference answered in earlier runs.
    """

    responses: Mapping[str, Response] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DiagnosisResult:
    """Findings by the code of the check, for each response; the snapshot; and the answers.

    ``skipped`` has the requests that have no response: what and why. ``error`` is what stopped the
    requests, or the first error of a plugin; then the findings of the others are complete.
    """

    findings: list[dict[str, list[Finding]]]
    snapshot: Snapshot | None
    skipped: list[tuple[str, str]]
    error: StopError | None
    answers: Mapping[str, str] = field(default_factory=dict)


def audit_requests(
    checks: Sequence[str], answers: Mapping[str, str] = MappingProxyType({})
) -> dict[str, AuditRequest]:
    """Return the requests for the audits of these checks, by name; ``answers`` are known."""
    return {
        f"{AUDIT} of {code}": AuditRequest(code, dict(answers) if check.needs_reach else {})
        for code in checks
        if (check := plugins.checks()[code]).audit is not None
    }


def requests_together(requests: Mapping[str, Request]) -> dict[str, str]:
    """Return the group of each request that shares something with others.

    The diagnoses of all checks share what they found out about the target; audits and golden texts,
    the ids of the texts of all tokens.
    """
    checks = plugins.checks()
    groups = {}
    for name, request in requests.items():
        if isinstance(request, DiagnoseRequest):
            groups[name] = DIAGNOSIS
        elif isinstance(request, SnapshotRequest) or (
            isinstance(request, AuditRequest) and checks[request.code].needs_reach
        ):
            groups[name] = SNAPSHOT
    return groups


def _diagnosis_requests(
    workers: Workers, results: Results, checks: Sequence[str]
) -> dict[str, DiagnoseRequest]:
    """Return a request for each check that has failing texts, by name; less time if interrupted."""
    failing = {code: results.failing[code] for code in checks if results.failing.get(code)}
    last = workers.pool.interrupt_at
    seconds = SECONDS if last is None else max((last - time.monotonic()) * INTERRUPTED_SHARE, 0.1)
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

    Requests go to the unguarded workers at once, unless a text is known that kills those; a request
    that kills its worker goes to the guarded worker. A death that no text explains is a finding.
    """
    requests: dict[str, Request] = {
        **_diagnosis_requests(workers, results, checks),
        **_snapshot_request(snapshot),
        **audit_requests(checks, audits.answers),
    }
    collected = _Collected(dict(audits.responses), [], [])
    error: StopError | None = None
    try:
        _collect(workers, results, requests, collected)
    except STOPS as stop:
        error = stop
        known = {*collected.responses, *dict(collected.skipped)}
        left = [name for name in requests if name not in known]
        collected.skipped.extend((name, reason_to_stop(error)) for name in left)
    return _result(workers, results, requests, collected, error)


def without_diagnosis(workers: Workers, results: Results, error: StopError) -> DiagnosisResult:
    """Return the result if no request can be sent because of an error."""
    return _result(workers, results, {}, _Collected({}, [], []), error)


@dataclass(frozen=True)
class _Collected:
    """Responses by name, requests without one and why, and deaths that are the target's."""

    responses: dict[str, Response]
    skipped: list[tuple[str, str]]
    deaths: list[Finding]


def _collect(
    workers: Workers, results: Results, requests: Mapping[str, Request], collected: _Collected
) -> None:
    """Send the requests; if texts are known that kill the target, only audits are unguarded."""
    spec, responses = workers.pool.spec, collected.responses
    if is_spent(results.crashers):
        left = [
            name
            for name, request in requests.items()
            if name not in responses and not isinstance(request, DiagnoseRequest)
        ]
        collected.skipped.extend((name, SPENT) for name in left)
        requests = {name: request for name, request in requests.items() if name not in left}
    unguarded = {
        name: request
        for name, request in requests.items()
        if name not in responses
        if isinstance(request, AuditRequest) or not results.has_crashers
    }
    explained = {*UNCERTAIN, *(reason for _, _, reason, _ in results.crashers if reason)}
    if any(reason == "time limit" for _, _, reason, _ in results.crashers):
        explained.add("SIGSTOP")  # a target that stops its process exceeds the limit if guarded
    deaths = workers.call_unguarded(unguarded, responses, requests_together(unguarded))
    for name, request in requests.items():
        if name in responses:
            continue
        place = PLACES.get(type(request), name)
        audited = request.code if isinstance(request, AuditRequest) else ""
        try:
            responses[name] = workers.call_guarded(request)
        except WorkerLostError as lost:
            collected.skipped.append((name, lost.detail))
        except TargetDeath as death:
            collected.skipped.append((name, f"the target's process ended with {death}"))
            collected.deaths.append(death_finding(spec, place, death, audited=audited))
        else:
            # Only an unguarded worker died: from outside, or since the target damages its process.
            reported = explained | _reported_deaths(responses[name])
            new = [death for death in deaths.get(name, ()) if death.reason not in reported]
            last = new[-1] if new else None
            if last is not None and last.is_external:
                last = workers.shown_again(request, new)
            if last is not None:
                rows = responses[name].get("deaths", ())
                calls = [row for row in rows if row[2] == last.reason]
                call = min(calls, key=_size_of_item, default=())
                collected.deaths.append(
                    death_finding(spec, place, last, audited=audited, call=call)
                )


def _size_of_item(row: Sequence[Any]) -> tuple[int, str]:
    """Return how large the argument of a call is; of calls with equal ones the name decides."""
    op, item, *_ = row
    return 1 if isinstance(item, int) else len(item), op


def _reported_deaths(response: Response) -> set[str]:
    """Return the reasons of deaths that findings have as a parameter, as those of TOK112 do."""
    found = [finding for findings in response.get("findings", {}).values() for finding in findings]
    return {value for finding in found for value in finding["cause_parameters"].values()}


def _result(
    workers: Workers,
    results: Results,
    requests: Mapping[str, Request],
    collected: _Collected,
    error: StopError | None,
) -> DiagnosisResult:
    spec, responses = workers.pool.spec, collected.responses
    deaths = collected.deaths + unexplained_death_findings(spec, _unexplained(workers, results))
    deaths += [death_finding(spec, DIAGNOSIS, death) for death in _deaths_of_other_calls(results)]
    for name in requests:
        if name in responses and (failed := plugin_error(responses[name])):
            collected.skipped.append((name, str(failed)))
            error = error or failed
    for name in requests:
        for code, count in responses.get(name, {}).get("not_diagnosed", {}).items():
            what = f"diagnosis of {count:,} texts that fail {code}"
            collected.skipped.append((what, BUDGET_USED_UP))
        if responses.get(name, {}).get("is_spent"):
            collected.skipped.append((name, AUDIT_SPENT))
        if lost := responses.get(name, {}).get("without_result"):
            collected.skipped.append((f"part of {name}", _calls_without_result(lost)))
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
    )


def _undiagnosed(
    spec: str,
    results: Results,
    requests: Mapping[str, Request],
    collected: _Collected,
    error: StopError | None,
) -> Iterator[dict[str, list[Finding]]]:
    """Yield findings for failing texts whose diagnosis has no response.

    How a text ended the target is known all the same.
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
    """Return how many calls of an audit with a text have no result, and why."""
    total = sum(counts.values())
    calls = "1 call with a text has" if total == 1 else f"{total:,} calls with a text have"
    return f"{calls} no result: {'; '.join(sorted(counts))}"


def _unexplained(workers: Workers, results: Results) -> list[tuple[str, str]]:
    """Return the deaths that no text explains, also those of workers that could not load."""
    deaths = results.unexplained_deaths
    if not results.has_crashers:
        own = [death for death in workers.deaths if not death.is_external]
        deaths = [*deaths, *(("", str(death)) for death in own if death.reason not in UNCERTAIN)]
    return deaths


def _deaths_of_other_calls(results: Results) -> Iterator[TargetDeath]:
    """Yield the deaths in calls that no check makes for a text, as for the bytes of a token."""
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
