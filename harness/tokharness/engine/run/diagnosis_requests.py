"""Request the diagnosis of failing texts, the audits and the snapshot of a target."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from tokharness import plugins
from tokharness.checks import crashes_or_hangs
from tokharness.engine.finding_records import findings_of
from tokharness.engine.requests import AuditRequest, DiagnoseRequest, SnapshotRequest
from tokharness.engine.responses import plugin_error
from tokharness.engine.worker.reproduce import command_line
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Finding
from tokharness.targets.snapshot import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.engine.requests import CrasherRows, Request
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.errors import PluginError
    from tokharness.targets.snapshot import Golden, Snapshot

__all__ = ["DiagnosisResult", "Response", "Results", "audit_requests", "request_diagnosis"]

Response = dict[str, Any]
DIAGNOSIS, AUDIT, SNAPSHOT = "the diagnosis", "the audit", "the golden texts"
"""Names of requests; fingerprints of findings and baselines have them, so they must stay."""

KINDS = {"nonsense": "nonsense", "memory limit": "out of memory", "time limit": "hang"}
"""Kind of the cause by the reason of a death; any other reason is a crash."""


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


@dataclass
class DiagnosisResult:
    """Findings by the code of the check, for each response; and the snapshot.

    ``skipped`` has the requests that kill even a guarded worker: what and why. ``error`` is the
    first error of a plugin, if one fails; the findings of the other plugins are complete.
    """

    findings: list[dict[str, list[Finding]]] = field(default_factory=list)
    snapshot: Snapshot | None = None
    skipped: list[tuple[str, str]] = field(default_factory=list)
    error: PluginError | None = None


def audit_requests(checks: Sequence[str]) -> dict[str, AuditRequest]:
    """Return the requests for the audits of these checks, by name."""
    return {
        f"{AUDIT} of {code}": AuditRequest(code)
        for code in checks
        if plugins.checks()[code].audit is not None
    }


def request_diagnosis(
    workers: Workers,
    results: Results,
    checks: Sequence[str],
    golden: Sequence[Golden] | None,
    responses: Mapping[str, Response] = MappingProxyType({}),
) -> DiagnosisResult:
    """Diagnose failing texts, audit the target, and take a snapshot unless ``golden`` is None.

    Requests go to the unguarded workers at once, unless a text is known that kills those; a request
    that kills its worker goes to the guarded worker. A death that no text explains is a finding.
    ``responses`` are those of audits that have finished.
    """
    audits = audit_requests(checks)
    requests: dict[str, Request] = {
        DIAGNOSIS: DiagnoseRequest(results.failing, results.crashers),
        **_snapshot_request(golden),
        **audits,
    }
    unguarded = audits if results.has_crashers else requests
    missing = {name: request for name, request in unguarded.items() if name not in responses}
    responses = {**responses, **workers.call_unguarded(missing)}
    result = DiagnosisResult()
    deaths: list[Finding] = []
    for name, request in requests.items():
        if name not in responses:
            try:
                responses[name] = workers.call_guarded(request)
            except TargetDeath as death:
                result.skipped.append((name, f"the target's process ended with {death}"))
                if death.reason != "exit":
                    place = AUDIT if name in audits else name
                    deaths.append(_death_finding(workers.pool.spec, place, death))
    deaths += _unexplained_death(workers.pool.spec, results)
    for name in requests:
        if name in responses and (error := plugin_error(responses[name])):
            result.skipped.append((name, str(error)))
            result.error = result.error or error
    received = [responses[name] for name in requests if name in responses and name != SNAPSHOT]
    findings = [findings_of(response["findings"]) for response in received]
    result.findings = [*findings, {crashes_or_hangs.CODE: deaths}]
    if SNAPSHOT in responses and responses[SNAPSHOT]["snapshot"] is not None:
        result.snapshot = snapshot_of(responses[SNAPSHOT]["snapshot"])
    return result


def _snapshot_request(golden: Sequence[Golden] | None) -> dict[str, SnapshotRequest]:
    if golden is None:
        return {}
    return {SNAPSHOT: SnapshotRequest([[text.group, text.text, text.ids] for text in golden])}


def _unexplained_death(spec: str, results: Results) -> list[Finding]:
    """Return one finding for all deaths that no text explains."""
    if not results.unexplained_deaths:
        return []
    families = sorted({family for family, _ in results.unexplained_deaths if family})
    reason, _, detail = min(death for _, death in results.unexplained_deaths).partition(": ")
    return [_death_finding(spec, "", TargetDeath(reason, detail), tuple(families))]


def _death_finding(
    spec: str, place: str, death: TargetDeath, families: tuple[str, ...] = ()
) -> Finding:
    """Make the finding for a death that no single text causes; ``place`` is the request or ""."""
    words = ["tokharness", "check", spec, "--select", crashes_or_hangs.CODE]
    words += ["--family", ",".join(families)] if families else []
    parameters = (("in", place or "state"), ("by", death.reason))
    if place:
        message = f"{place} of the target ends its process with {death}"
    elif death.reason == "memory limit":
        message = "several texts together exceed the memory limit; none of them does so alone"
    elif death.reason == "nonsense":
        message = f"the target answers each text alone, but not many texts at once: {death}"
    else:
        message = f"several texts together end the process with {death}; none of them does so alone"
    return Finding(
        spec=spec,
        code=crashes_or_hangs.CODE,
        name=crashes_or_hangs.NAME,
        cause=Cause(KINDS.get(death.reason, "crash"), parameters, message=message),
        count=1,
        text=None,
        families=families,
        reproduce=command_line(words),
    )
