"""The expectations of a policy that the findings of a run meet, and those that it leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.policy import matches, matches_check

if TYPE_CHECKING:
    from tokharness.policy import Policy
    from tokharness.results.report import Report

MAX_CAUSES = 10
"""Causes that a message lists."""


def unmet_expectations(report: Report, policy: Policy) -> tuple[str, ...]:
    """Return the expectations whose check ran and that no finding meets."""
    return tuple(one for one in _without_finding(report, policy) if _has_run(report, one))


def open_expectations(report: Report, policy: Policy) -> tuple[str, ...]:
    """Return the expectations that no finding meets, as their check did not run."""
    return tuple(one for one in _without_finding(report, policy) if not _has_run(report, one))


def describe_unmet(report: Report, expectation: str) -> str:
    """Return a sentence with the causes that the check of an unmet expectation reported.

    An expectation may name a cause that does not exist; the causes that exist are not known in
    advance.
    """
    check = expectation.partition(":")[0]
    causes = dict.fromkeys(
        str(finding.cause)
        for target in report.targets
        for finding in target.findings
        if matches(finding, check)
    )
    more = f" and {len(causes) - MAX_CAUSES} more" if len(causes) > MAX_CAUSES else ""
    reported = f"{'; '.join(list(causes)[:MAX_CAUSES])}{more}" if causes else "no cause"
    return f"no finding meets the expectation {expectation!r}: {check} reported {reported}"


def _without_finding(report: Report, policy: Policy) -> list[str]:
    findings = [finding for target in report.targets for finding in target.findings]
    return [one for one in policy.expect if not any(matches(finding, one) for finding in findings)]


def _has_run(report: Report, expectation: str) -> bool:
    codes = {code for target in report.targets for code in target.started.checks}
    checks = [(code, check.name) for code, check in plugins.all_checks().items() if code in codes]
    return any(matches_check(expectation.partition(":")[0], *check) for check in checks)
