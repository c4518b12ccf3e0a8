"""Run what a gate compares, and judge it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.baseline import baseline_of
from tokharness.cli._places import place_of
from tokharness.cli._resuming import Plan
from tokharness.cli._running import report_of
from tokharness.gate import Rules, judge
from tokharness.gate.acceptances import accepted_findings
from tokharness.policy import applied, unmet
from tokharness.targets.loading import automatic_reference

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from tokharness.baseline import Baseline
    from tokharness.cli._run_options import Asked
    from tokharness.results.report import Report

__all__ = ["as_for_baseline", "incumbent", "judged"]

RUN = {"profile": "profile", "seed": "seed", "examples": "examples", "family": "families"}
RUN |= {"select": "select", "ignore": "ignore"}


def as_for_baseline(wanted: Asked, baseline: Baseline) -> Asked:
    """Take from the baseline how thorough a run is, where neither command nor policy says it.

    A target without a reference of its own is compared with the one that the baseline's had.
    """
    said = wanted.given | {key.replace("-", "_") for key in wanted.policy.options}
    taken = {field: getattr(baseline.run, field) for name, field in RUN.items() if name not in said}
    options = replace(wanted.options, **taken)
    plugins.adapter(wanted.targets[0])
    if options.against is None and automatic_reference(wanted.targets[0]) is None:
        options = replace(options, reference=baseline.against)
    return replace(wanted, options=options)


def incumbent(wanted: Asked, spec: str, today: dt.date) -> Baseline:
    """Run the target that another is to replace; what it has is no fault of the other's.

    Raises:
        KeyboardInterrupt: the run was interrupted.

    """
    options = replace(wanted.options, against="none")
    report = report_of(Plan((spec,), options), wanted.jobs, golden=())
    if report.interrupted:
        raise KeyboardInterrupt
    target = applied(report, wanted.policy).targets[0]
    baseline = baseline_of(spec, target, wanted.options, report.versions)
    return replace(baseline, accepted=accepted_findings(target, "the incumbent has it", today))


def judged(wanted: Asked, baseline: Baseline, file: Path | None, today: dt.date) -> Report:
    """Run the target and compare it with the baseline of a file, or of an incumbent."""
    (spec,) = wanted.targets
    plan = Plan((spec,), wanted.options)
    report = report_of(plan, wanted.jobs, golden=baseline.golden, measures=wanted.measured)
    report = replace(
        applied(report, wanted.policy), places={spec: place_of(spec, [file, wanted.policy.path])}
    )
    if report.interrupted:
        return report
    policy = wanted.policy
    rules = Rules(wanted.options.fail_on, policy.tolerance, policy.budgets, unmet(report, policy))
    name = None if file is None else str(file)
    judgement = judge(report.targets[0], baseline, wanted.options, rules, today, file=name)
    return replace(report, judgement=judgement)
