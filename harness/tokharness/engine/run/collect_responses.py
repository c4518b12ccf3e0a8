"""Send diagnoses, audits and golden texts to workers, and collect what they answer.

Requests go to the unguarded workers at once, unless a text is known to kill unguarded workers. A
request that kills its worker goes to the guarded worker. A request without processor time left for
it is not sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from tokharness import plugins
from tokharness.engine.requests import AuditRequest, DiagnoseRequest, SnapshotRequest
from tokharness.engine.run.death_findings import WorkerLostError, death_finding
from tokharness.engine.run.family_results import TIME_SPENT
from tokharness.engine.run.processor_time import LEAST_SECONDS
from tokharness.errors import TargetDeath
from tokharness.targets.processes.crashers import is_spent

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from tokharness.engine.requests import CrasherRows, Request
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.processor_time import ProcessorTime
    from tokharness.model import Finding

Response = dict[str, Any]
DIAGNOSIS, AUDIT, SNAPSHOT = "the diagnosis", "the audit", "the golden texts"
"""Names of requests; fingerprints of findings and baselines have them, so they must stay."""


PLACES: Mapping[type[Request], str] = MappingProxyType(
    {DiagnoseRequest: DIAGNOSIS, AuditRequest: AUDIT}
)
"""Names of the requests that are made for each check."""

SPENT = "too much time was spent on texts that end or hang the target"
LONGEST_OF_AUDITS = 2000
"""Characters of the longest text of an audit, or a few more."""

UNCERTAIN = ("time limit", "memory limit", "SIGINT")
"""Deaths that the request may cause, not the target, if a guarded worker does respond."""


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


@dataclass(frozen=True)
class Collected:
    """Responses by name, requests without one and why, and deaths that are the target's.

    ``unfinished`` names the requests that have no response although the target is not the reason.
    """

    responses: dict[str, Response]
    skipped: list[tuple[str, str]]
    deaths: list[Finding]
    unfinished: set[str] = field(default_factory=set)


def collect(
    workers: Workers, results: Results, requests: Mapping[str, Request], collected: Collected
) -> None:
    """Send the requests; if a text is known to kill the target, only audits run unguarded.

    If too much time was spent on such texts, and not all of them are long, no audit runs.
    """
    responses = collected.responses
    if is_spent(results.crashers) and _has_short_text(results.crashers):
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
    limited = partial(_limited, workers.pool.time)
    deaths = workers.call_unguarded(unguarded, responses, requests_together(unguarded), limited)
    if any(name not in responses for name in requests):
        workers.make_room()
    for name, request in requests.items():
        if name not in responses:
            _call_guarded(workers, (name, request), deaths.get(name, ()), explained, collected)


def _has_short_text(crashers: CrasherRows) -> bool:
    """Whether audits, whose texts are short, may have a text that ends or hangs the target."""
    items = [item for _, item, reason, _ in crashers if reason and not isinstance(item, int)]
    return any(len(item) <= LONGEST_OF_AUDITS for item in items) or not items


def _call_guarded(
    workers: Workers,
    named: tuple[str, Request],
    deaths: Sequence[TargetDeath],
    explained: Container[str],
    collected: Collected,
) -> None:
    """Call the guarded worker with a request and its name, after ``deaths`` of unguarded ones.

    A death whose reason is not ``explained`` is a finding.
    """
    spec, (name, whole) = workers.pool.spec, named
    place = PLACES.get(type(whole), name)
    audited = whole.code if isinstance(whole, AuditRequest) else ""
    request = _limited(workers.pool.time, whole)
    if request is None or (deaths and not workers.has_time_for_guarded()):
        new = [death for death in deaths if death.reason not in explained]
        how = f"its worker ended with {deaths[-1]}, and " if deaths else ""
        collected.skipped.append((name, f"{how}{TIME_SPENT}"))
        if workers.has_fast_target and not deaths:
            collected.unfinished.add(name)
        collected.deaths.extend(death_finding(spec, place, one, audited=audited) for one in new[:1])
        return
    try:
        response = workers.call_guarded(request)
    except WorkerLostError as lost:
        collected.skipped.append((name, lost.detail))
        collected.unfinished.add(name)
        return
    except TargetDeath as death:
        collected.skipped.append((name, f"the target's process ended with {death}"))
        collected.deaths.append(death_finding(spec, place, death, audited=audited))
        return
    collected.responses[name] = response
    # Only unguarded workers died: ended from outside, or because the target damages its process.
    reported = _reported_deaths(response)
    new = [one for one in deaths if one.reason not in explained and one.reason not in reported]
    last = new[-1] if new else None
    if last is not None and last.is_external:
        last = workers.shown_again(request, new)
    if last is not None:
        calls = [row for row in response.get("deaths", ()) if row[2] == last.reason]
        call = min(calls, key=_size_of_item, default=())
        collected.deaths.append(death_finding(spec, place, last, audited=audited, call=call))


def _limited(processor: ProcessorTime, request: Request) -> Request | None:
    """Limit a request to the time that is left of the run; None for an audit without time."""
    seconds = processor.of_request()
    if seconds is None:
        return request
    if isinstance(request, AuditRequest):
        return replace(request, seconds=seconds) if seconds else None
    if isinstance(request, DiagnoseRequest):
        most = max(processor.of_diagnoses(), LEAST_SECONDS)  # one worker has them all
        return replace(request, most=most if request.most is None else min(most, request.most))
    return request


def _size_of_item(row: Sequence[Any]) -> tuple[int, str]:
    """Return a key that orders calls by the size of their argument, then by name."""
    op, item, *_ = row
    return 1 if isinstance(item, int) else len(item), op


def _reported_deaths(response: Response) -> set[str]:
    """Return the reasons of deaths that findings have as a parameter, as findings of TOK112 do."""
    found = [finding for findings in response.get("findings", {}).values() for finding in findings]
    return {value for finding in found for value in finding["cause_parameters"].values()}


def requests_together(requests: Mapping[str, Request]) -> dict[str, str]:
    """Return the group of each request that shares something with others.

    The diagnoses of all checks share their knowledge of the target; audits and golden texts share
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
