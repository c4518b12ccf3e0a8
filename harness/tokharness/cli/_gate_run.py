"""Run the target of a gate, and compare it with its baseline or with an incumbent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.baseline import baseline_of, earlier_state, versions_for
from tokharness.cli._run import RunPlan, run_checks
from tokharness.cli._run_request import refuse_unnamed
from tokharness.errors import NotFinishedError
from tokharness.formats._wording import incomplete
from tokharness.gate import GateCommand, Rules, evaluate_gate
from tokharness.gate.acceptances import acceptances_of_findings
from tokharness.policy import apply_policy, unmet_expectations
from tokharness.results.locations import find_location
from tokharness.targets.loading import automatic_reference

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from tokharness.baseline import Baseline
    from tokharness.changes import Change
    from tokharness.cli._run_request import RunRequest
    from tokharness.results.report import Report, TargetReport


RUN_FIELDS = {"profile": "profile", "seed": "seed", "examples": "examples", "family": "families"}
RUN_FIELDS |= {"select": "select", "ignore": "ignore"}
"""Option names, with the field of a baseline's run that each sets."""


def with_baseline_options(request: RunRequest, baseline: Baseline, file: Path) -> RunRequest:
    """Take from the baseline the run options that neither the command line nor the policy sets.

    A target without an automatic reference is compared with the reference of the baseline.

    Raises:
        UsageError: the file names what runs code or is downloaded, and the user does not.

    """
    present = request.explicit | {key.replace("-", "_") for key in request.policy.options}
    inherited = {
        field: getattr(baseline.run, field)
        for name, field in RUN_FIELDS.items()
        if name not in present
    }
    options = replace(request.options, **inherited)
    plugins.adapter(request.specs[0])
    if options.against is None and automatic_reference(request.specs[0]) is None:
        options = replace(options, reference=baseline.against)
    refuse_unnamed(file, (), (options.reference,), inherited.get("families", ()))
    return replace(request, options=options)


def run_gate_with_incumbent(request: RunRequest, spec: str, today: dt.date) -> Report:
    """Compare the target with the incumbent that it is to replace; both may have the same findings.

    If the run of the incumbent is interrupted, return its report, with the target as not run.

    Raises:
        PluginError: a plugin failed in the run of the incumbent.
        NotFinishedError: a part of this run was not finished: findings that it missed would count
            as new findings of the target.

    """
    options = replace(request.options, against="none")
    report = run_checks(RunPlan((spec,), options), request.jobs, golden=(), cached=request.cached)
    if report.error is not None:
        raise report.error
    report = apply_policy(report, request.policy)
    if report.interrupted:
        return replace(report, not_run=(*report.not_run, *request.specs))
    if report.unfinished:
        raise NotFinishedError(incomplete(report))
    (target,) = report.targets
    baseline = baseline_of(spec, target, request.options, report.versions)
    accepted = acceptances_of_findings(target, "the incumbent has it", today)
    return run_gate(request, replace(baseline, accepted=accepted), None, today)


def gate_command(
    spec: str, baseline: Baseline, file: Path | None, words: tuple[str, ...]
) -> GateCommand:
    """Return how the user runs the gate of a target; ``words`` as of :func:`run_gate`."""
    old = baseline.spec if file is None else ""
    if file is not None and baseline.file is not None and baseline.file.packed:
        old = f"baseline:{file}"
    return GateCommand(words, spec, old, "" if file is None else str(file))


def run_gate(
    request: RunRequest,
    baseline: Baseline,
    file: Path | None,
    today: dt.date,
    words: tuple[str, ...] = (),
) -> Report:
    """Run the target and compare it with the baseline of a file, or of an incumbent.

    ``words`` are the target and the options that name the baseline on the command line.
    """
    (spec,) = request.specs
    plan = RunPlan((spec,), request.options)
    report = run_checks(
        plan,
        request.jobs,
        golden=baseline.golden,
        compare_with=earlier_state(baseline),
        measures=request.measures,
        before=baseline,
        cached=request.cached,
    )
    report = replace(
        apply_policy(report, request.policy),
        locations={spec: find_location(spec, [file, request.policy.path])},
    )
    if report.interrupted:
        return report
    policy = request.policy
    rules = Rules(
        request.options.fail_on,
        policy.tolerance,
        policy.budgets,
        unmet_expectations(report, policy),
        request.options.fail_on_library,
    )
    name = None if file is None else str(file)
    command = gate_command(spec, baseline, file, words)
    target = report.targets[0]
    gate = evaluate_gate(
        *(target, baseline, request.options, rules, today),
        file=name,
        command=command,
        versions=versions_for(target, report.versions),
        templates=_of_templates(target, baseline),
    )
    return replace(report, gate=gate)


def _of_templates(target: TargetReport, baseline: Baseline) -> list[Change] | None:
    """Return the changes of what chat templates render; None if either side has no template."""
    if not (baseline.templates and target.templates):
        return None
    from tokharness.conversations.template_changes import template_changes

    return list(template_changes(baseline.templates, target.templates))
