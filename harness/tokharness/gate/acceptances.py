"""Acceptances of a baseline: apply, add and prune them; which findings are new or expired."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.baseline import Acceptance
from tokharness.changes import Change, change_fingerprint
from tokharness.model import Verdict
from tokharness.results.report import fails

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.baseline import Baseline
    from tokharness.changes import GateResult
    from tokharness.config import FailOn
    from tokharness.model import Finding
    from tokharness.results.report import TargetReport


def apply_acceptances(
    changes: Sequence[Change],
    acceptances: Sequence[Acceptance],
    today: dt.date,
    *,
    report_stale: bool,
) -> tuple[list[Change], int, dict[str, Acceptance]]:
    """Return the changes that no acceptance covers today, and the number of the others.

    The third value has the acceptances that have expired, by fingerprint.

    An acceptance without a finding is a change too: with ``report_stale`` it fails the gate, so
    that the file has no stale acceptance; otherwise it is reported as fixed.
    """
    by_fingerprint = {acceptance.fingerprint: acceptance for acceptance in acceptances}
    remaining, covered, expired = [], 0, {}
    for change in changes:
        acceptance = by_fingerprint.get(change.fingerprint)
        if acceptance is None:
            remaining.append(change)
        elif acceptance.has_expired(today) and change.fails:
            remaining.append(change)
            expired[change.fingerprint] = acceptance
        else:
            covered += 1
    present = {change.fingerprint for change in changes}
    # A worse finding has a fingerprint of its own, and its acceptance is not stale.
    present |= {acceptance_fingerprint(change.finding) for change in changes if change.finding}
    unused = [one for one in acceptances if one.fingerprint not in present]
    return remaining + [_unused(one, stale=report_stale) for one in unused], covered, expired


def as_expired(change: Change, expired: Mapping[str, Acceptance]) -> Change:
    """Return a change as one that was accepted once, if one of ``expired`` accepted it."""
    change = replace(change, related=tuple(as_expired(one, expired) for one in change.related))
    acceptance = expired.get(change.fingerprint)
    if acceptance is None:
        return change
    prefix = f"it was accepted until {acceptance.expires} ({acceptance.reason})"
    return replace(change, kind="expired-acceptance", message=f"{prefix}: {change.message}")


def _unused(acceptance: Acceptance, *, stale: bool) -> Change:
    """Return the change for an acceptance without a finding; a library may repair its fault."""
    stale = stale and not acceptance.library
    message = (
        f"the accepted change ({acceptance.reason}) is no longer there: remove the acceptance "
        "with --prune"
    )
    library = acceptance.library
    had_it = f"{library} had it, whatever the file" if library else "the baseline has it"
    return Change(
        "stale-acceptance" if stale else "fixed-finding",
        acceptance.what,
        message if stale else f"{had_it}, and this run did not report it",
        change_fingerprint("stale-acceptance", acceptance.fingerprint),
        fails=stale,
    )


def acceptances_of_findings(
    target: TargetReport, reason: str, today: dt.date
) -> tuple[Acceptance, ...]:
    """Return acceptances of all bugs and risks of a target."""
    return tuple(
        Acceptance(
            fingerprint=acceptance_fingerprint(finding),
            kind="new-finding",
            what=f"{finding.code} {finding.name}: {finding.cause}",
            verdict=finding.verdict.value,
            reason=reason,
            first_seen=today,
            library=finding.library if finding.is_of_library else "",
        )
        for finding in target.findings
        if finding.verdict is not Verdict.FACT
    )


def accept_changes(
    baseline: Baseline,
    changes: Sequence[Change],
    reason: str,
    today: dt.date,
    expires: dt.date | None = None,
) -> Baseline:
    """Return the baseline with these changes and their related changes accepted.

    A change that was accepted before keeps its kind and ``first_seen``.
    """
    accepted = {acceptance.fingerprint: acceptance for acceptance in baseline.accepted}
    for change in _with_related(changes):
        if change.kind == "stale-acceptance":
            continue
        before = accepted.get(change.fingerprint)
        accepted[change.fingerprint] = Acceptance(
            fingerprint=change.fingerprint,
            kind=before.kind if before else change.kind,
            what=change.what,
            verdict=change.finding.verdict.value if change.finding else None,
            reason=reason,
            first_seen=before.first_seen if before else today,
            expires=expires,
            library=_library(change),
        )
    return replace(baseline, accepted=tuple(accepted.values()))


def with_accepted(gate: GateResult, accepted: Sequence[Change]) -> GateResult:
    """Return the gate result with the failed changes that this run has accepted."""
    fingerprints = {change.fingerprint for change in accepted}
    changes = (
        replace(change, fails=False, next=()) if change.fingerprint in fingerprints else change
        for change in gate.changes
    )
    return replace(gate, changes=tuple(changes), newly_accepted=len(fingerprints))


def _library(change: Change) -> str:
    finding = change.finding
    return finding.library if finding is not None and finding.is_of_library else ""


def _with_related(changes: Sequence[Change]) -> Iterator[Change]:
    for change in changes:
        yield change
        yield from _with_related(change.related)


def prune_acceptances(baseline: Baseline, changes: Sequence[Change]) -> Baseline:
    """Return the baseline without the acceptances that these changes report as stale."""
    stale = {change.fingerprint for change in changes if change.kind == "stale-acceptance"}
    kept = tuple(
        acceptance
        for acceptance in baseline.accepted
        if change_fingerprint("stale-acceptance", acceptance.fingerprint) not in stale
    )
    return replace(baseline, accepted=kept)


UNEXPLAINED = "unexplained"


def finding_changes(
    target: TargetReport,
    baseline: Baseline,
    fail_on: FailOn,
    unmet: Sequence[str],
    *,
    on_library: bool = False,
) -> Iterator[Change]:
    """Yield every bug and risk, accepted or not, new facts, and unmet expectations.

    Findings of a library fail only with ``on_library``.
    """
    acceptances = {acceptance.fingerprint: acceptance for acceptance in baseline.accepted}
    for finding in target.findings:
        if finding.verdict is Verdict.FACT:
            if f"{finding.code} {finding.cause}" not in baseline.facts:
                yield _of_finding("new-fact", finding, fails=False)
            continue
        failing = fails(finding, fail_on, on_library=on_library)
        acceptance = acceptances.get(acceptance_fingerprint(finding))
        if acceptance is not None and _is_worse(finding, acceptance.verdict):
            change = _of_finding("worse-finding", finding, fails=failing)
            message = f"it was accepted as a {acceptance.verdict}: {change.message}"
            identity = f"{acceptance_fingerprint(finding)} {finding.verdict.value}"
            yield change.with_message(message).with_fingerprint_of(identity)
        elif acceptance is not None and _is_own_now(finding, acceptance, target, baseline):
            change = _of_finding("worse-finding", finding, fails=failing)
            message = (
                f"it was accepted as a finding of {acceptance.library}, whatever the file, and "
                f"small healthy files do not show it now: {change.message}"
            )
            identity = f"{acceptance_fingerprint(finding)} of the file"
            yield change.with_message(message).with_fingerprint_of(identity)
        else:
            new = _of_finding("new-finding", finding, fails=failing)
            yield new.with_message(_message(finding, baseline))
    for expectation in unmet:
        message = f"no finding meets the expectation {expectation!r} of the policy"
        fingerprint = change_fingerprint("unmet-expectation", expectation)
        yield Change("unmet-expectation", expectation, message, fingerprint)


def acceptance_fingerprint(finding: Finding) -> str:
    """Return the fingerprint under which a finding is accepted.

    For an unexplained finding it includes the text, so that an acceptance does not cover every
    other unexplained finding.
    """
    if finding.cause.kind != UNEXPLAINED:
        return finding.fingerprint
    text = finding.text.hex() if isinstance(finding.text, bytes) else finding.text
    return change_fingerprint(UNEXPLAINED, finding.fingerprint, text)


def _message(finding: Finding, baseline: Baseline) -> str:
    """Return the message; for a fault of a library, with the library's releases in the baseline."""
    if not finding.is_of_library:
        return finding.message
    names = (part.rpartition(" ")[0] for part in finding.library.split(", "))
    before = [f"{name} {baseline.versions[name]}" for name in names if name in baseline.versions]
    if not before or ", ".join(before) == finding.library:
        return f"{finding.library}, whatever the file: {finding.message}"
    return (
        f"{finding.library}, whatever the file (the baseline is of {', '.join(before)}): "
        f"{finding.message}"
    )


def _is_own_now(
    finding: Finding, acceptance: Acceptance, target: TargetReport, baseline: Baseline
) -> bool:
    """Whether a fault that was accepted as a library's is now a fault of the file."""
    schemes = (spec.partition(":")[0] for spec in (target.started.spec, baseline.spec))
    is_own = bool(acceptance.library) and not finding.is_of_library
    return is_own and len(set(schemes)) == 1


def _is_worse(finding: Finding, verdict: str | None) -> bool:
    return finding.verdict is Verdict.BUG and verdict == Verdict.RISK.value


def _of_finding(kind: str, finding: Finding, *, fails: bool) -> Change:
    return Change(
        kind,
        f"{finding.code} {finding.name}: {finding.cause}",
        finding.message,
        acceptance_fingerprint(finding),
        fails=fails,
        finding=finding,
        count=finding.count,
    )
