"""Changes of a gate: findings that the baseline does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.changes import Change, change_fingerprint
from tokharness.model import Verdict
from tokharness.results.report import fails

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.baseline import Acceptance, Baseline
    from tokharness.config import FailOn
    from tokharness.model import Finding
    from tokharness.results.report import TargetReport

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
