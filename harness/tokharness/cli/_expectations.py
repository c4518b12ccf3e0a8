"""Apply the policy to the report of a run, and judge its expectations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.policy import apply_policy
from tokharness.policy.expectations import describe_unmet, open_expectations, unmet_expectations
from tokharness.results.locations import find_location

if TYPE_CHECKING:
    from tokharness.cli._run_request import RunRequest
    from tokharness.results.report import Report

__all__ = ["judge_expectations", "with_policy"]


def with_policy(report: Report, request: RunRequest) -> Report:
    """Apply the policy, and locate each target in the repository."""
    specs = [target.started.spec for target in report.targets]
    places = {spec: find_location(spec, [request.policy.path]) for spec in specs}
    return replace(apply_policy(report, request.policy), locations=places)


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
