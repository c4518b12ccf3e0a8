"""Judge the expectations of the policy after a run of ``tokharness check``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.policy.expectations import describe_unmet, open_expectations, unmet_expectations

if TYPE_CHECKING:
    from tokharness.cli._run_request import RunRequest
    from tokharness.results.report import Report

__all__ = ["judge_expectations"]


def judge_expectations(report: Report, request: RunRequest) -> tuple[Report, list[str]]:
    """Return the report, which fails if an expectation is unmet, and a sentence for each.

    A run that was interrupted, or of the families that ``--family`` names, leaves open what it has
    not met.
    """
    unmet = unmet_expectations(report, request.policy)
    left_open = open_expectations(report, request.policy)
    if report.interrupted or "family" in request.explicit:
        unmet, left_open = (), (*unmet, *left_open)
    sentences = [describe_unmet(report, one) for one in unmet]
    sentences += [f"this run does not show whether {one!r} is still found" for one in left_open]
    if unmet:
        policy = {**(report.policy or {}), "unmet_expectations": list(unmet)}
        report = replace(report, policy=policy)
    return report, sentences
