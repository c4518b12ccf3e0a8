"""Run the target of a gate, and compare it with a baseline or an incumbent; paths of baselines."""

from __future__ import annotations

import datetime as dt
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.baseline import baseline_of, earlier_state, versions_for
from tokharness.cli._run import RunPlan, run_checks
from tokharness.cli._run_request import refuse_unnamed
from tokharness.edits import TOKENS_ALONE
from tokharness.errors import NotFinishedError, UsageError
from tokharness.formats._wording import incomplete
from tokharness.gate import GateCommand, Rules, evaluate_gate
from tokharness.gate.acceptances import acceptances_of_findings
from tokharness.policy import apply_policy, unmet_expectations
from tokharness.project import require_inside, root_of
from tokharness.results.locations import find_location
from tokharness.targets.loading import automatic_reference

if TYPE_CHECKING:
    from tokharness.baseline import Baseline
    from tokharness.changes import Change
    from tokharness.cli._run_request import RunRequest
    from tokharness.policy import Policy
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
    known = baseline.file
    if file is not None and known and known.packed and known.format != TOKENS_ALONE:
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


MAX_LENGTH = 80
"""Characters of a file name, without its suffix."""


def baseline_path(name: str, file: str | None, policy: Policy) -> Path:
    """Return the path of ``file``, or else of the baseline with this name in the policy's folder.

    Raises:
        UsageError: the name is not usable, or a path in the project leads out of the project.

    """
    path = Path(file) if file else _path_of_name(name, policy)
    root = root_of(Path.cwd())
    if Path(os.path.abspath(path)).is_relative_to(root):  # noqa: PTH100 - links stay
        require_inside(path, root, "the baseline")
    return path


def _path_of_name(name: str, policy: Policy) -> Path:
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:MAX_LENGTH]
    if not slug:
        raise UsageError(f"the name {name!r} is not a usable file name: give another with --name")
    path = policy.folder / f"{slug}.json"
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def today() -> dt.date:
    """Today in UTC, so that all machines that use a baseline agree."""
    return dt.datetime.now(dt.UTC).date()


def parse_date(value: str | None, option: str) -> dt.date | None:
    """Parse the date of an option; raises UsageError if it is not a date."""
    if value is None:
        return None
    try:
        return dt.date.fromisoformat(value)
    except ValueError as error:
        raise UsageError(f"{option} takes a date such as 2027-03-31, not {value!r}") from error


def parse_expiry(value: str | None, now: dt.date) -> dt.date | None:
    """Parse the last day of an acceptance; raises UsageError if it is in the past."""
    day = parse_date(value, "--expires")
    if day is not None and day < now:
        raise UsageError(f"--expires {day} is in the past: today is {now}")
    return day
