"""What somebody accepted: what it covers, what has expired, what nothing needs any more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.baseline import Acceptance
from tokharness.changes import Change, change_fingerprint
from tokharness.gate.findings import acceptance_fingerprint
from tokharness.model import Verdict

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from tokharness.baseline import Baseline
    from tokharness.results.report import TargetReport

__all__ = ["acceptances_of_findings", "prune_acceptances", "apply_acceptances", "accept_changes"]


def apply_acceptances(
    changes: Sequence[Change],
    acceptances: Sequence[Acceptance],
    today: dt.date,
    *,
    judge_stale: bool,
) -> tuple[list[Change], int]:
    """Changes that no acceptance covers today, and how many one does.

    An acceptance that covers nothing any more fails the gate where the run was the baseline's,
    so that the file says what is there; what is fixed is told otherwise.
    """
    known = {one.fingerprint: one for one in acceptances}
    left, covered = [], 0
    for change in changes:
        acceptance = known.get(change.fingerprint)
        if acceptance is None:
            left.append(change)
        elif acceptance.has_expired(today) and change.fails:
            left.append(_expired(change, acceptance))
        else:
            covered += 1
    found = {change.fingerprint for change in changes}
    found |= {acceptance_fingerprint(change.finding) for change in changes if change.finding}  # if worse, too
    gone = [one for one in acceptances if one.fingerprint not in found]
    return left + [_gone(one, stale=judge_stale) for one in gone], covered


def _expired(change: Change, acceptance: Acceptance) -> Change:
    told = f"it was accepted until {acceptance.expires} ({acceptance.reason})"
    return replace(change, kind="expired-acceptance", message=f"{told}: {change.message}")


def _gone(acceptance: Acceptance, *, stale: bool) -> Change:
    message = (
        f"what was accepted ({acceptance.reason}) is not there any more: take it out of the "
        "baseline with --prune"
    )
    return Change(
        "stale-acceptance" if stale else "fixed-finding",
        acceptance.what,
        message if stale else "the baseline has it, and this run did not find it",
        change_fingerprint("stale-acceptance", acceptance.fingerprint),
        fails=stale,
    )


def acceptances_of_findings(target: TargetReport, reason: str, today: dt.date) -> tuple[Acceptance, ...]:
    """Acceptances of all bugs and risks that a run found."""
    return tuple(
        Acceptance(
            fingerprint=acceptance_fingerprint(one),
            kind="new-finding",
            what=f"{one.code} {one.name}: {one.cause}",
            verdict=one.verdict.value,
            reason=reason,
            first_seen=today,
        )
        for one in target.findings
        if one.verdict is not Verdict.BY_DESIGN
    )


def accept_changes(
    baseline: Baseline,
    changes: Sequence[Change],
    reason: str,
    today: dt.date,
    expires: dt.date | None = None,
) -> Baseline:
    """Accept these changes, and what is told with them; what was accepted before is renewed."""
    kept = {one.fingerprint: one for one in baseline.accepted}
    for change in _each(changes):
        if change.kind == "stale-acceptance":
            continue
        before = kept.get(change.fingerprint)
        kept[change.fingerprint] = Acceptance(
            fingerprint=change.fingerprint,
            kind=before.kind if before else change.kind,
            what=change.what,
            verdict=change.finding.verdict.value if change.finding else None,
            reason=reason,
            first_seen=before.first_seen if before else today,
            expires=expires,
        )
    return replace(baseline, accepted=tuple(kept.values()))


def _each(changes: Sequence[Change]) -> Iterator[Change]:
    for change in changes:
        yield change
        yield from change.related


def prune_acceptances(baseline: Baseline, changes: Sequence[Change]) -> Baseline:
    """Take out the acceptances that these changes tell to be stale."""
    stale = {one.fingerprint for one in changes if one.kind == "stale-acceptance"}
    kept = tuple(
        one
        for one in baseline.accepted
        if change_fingerprint("stale-acceptance", one.fingerprint) not in stale
    )
    return replace(baseline, accepted=kept)
