"""``tokharness baseline``: write the baseline of a target, which the gate compares with."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._shared_options import run_options

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.baseline import Acceptance, Baseline

REASON = "present when the baseline was written"


@click.command("baseline")
@click.argument("target")
@partial(run_options, without=("--measure", "--parallel"))
@click.option("--name", metavar="NAME", help="Name of the baseline; defaults to the spec.")
@click.option(
    "--baseline",
    "file",
    metavar="FILE",
    help="File to write; defaults to reports/baselines/NAME.json.",
)
@click.option(
    "--reason", default=REASON, show_default=True, help="Why the current findings are accepted."
)
def command(target: str, **values: Any) -> int:
    """Write the baseline of TARGET, for `tokharness gate`.

    A baseline records the accepted findings, the golden ids, the metrics and the fingerprint of a
    target. An existing baseline of the same name is replaced; findings that it already accepts keep
    their reasons.
    """
    from tokharness import plugins
    from tokharness.baseline import baseline_of
    from tokharness.baseline.writing import file_stamp, write
    from tokharness.cli._gate_run import baseline_path, today
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run import RunPlan, run_checks
    from tokharness.cli._run_request import parse_run_options
    from tokharness.errors import UsageError
    from tokharness.escaping import terminal
    from tokharness.formats._wording import pluralize
    from tokharness.gate.acceptances import acceptances_of_findings
    from tokharness.policy import apply_policy, describe_unmet, unmet_expectations
    from tokharness.results.locations import find_location

    if not values["reason"].strip():
        raise UsageError("--reason cannot be empty: it says why the findings are accepted")
    request = parse_run_options({**values, "fail_on": "never"}, (target,))  # findings are accepted
    name = values["name"] or request.names[0]
    path = baseline_path(name, values["file"], request.policy)
    output_format = plugins.find("format", values["format_name"], plugins.formats())
    files = parse_report_files(values["reports"])
    earlier, before = _earlier_acceptances(path, name), file_stamp(path)
    plan = RunPlan(request.specs, request.options)
    report = run_checks(plan, request.jobs, golden=(), cached=request.cached)
    report = apply_policy(report, request.policy)
    place = find_location(request.specs[0], [path, request.policy.path])
    emit_report(replace(report, locations={request.specs[0]: place}), output_format, files)
    for expectation in unmet_expectations(report, request.policy):  # the gate will fail
        click.echo(terminal(f"tokharness: {describe_unmet(report, expectation)}"), err=True)
    if report.interrupted:
        return 130
    if report.targets[0].snapshot is None:
        spec = request.specs[0]
        raise UsageError(f"no baseline was written: the golden texts crash the process of {spec}")
    baseline = baseline_of(name, report.targets[0], request.options, report.versions)
    accepted = acceptances_of_findings(report.targets[0], values["reason"], today())
    write(
        replace(baseline, accepted=tuple(_keep_reason(one, earlier) for one in accepted)),
        path,
        before,
    )
    message = f"wrote {path}: {pluralize(len(accepted), 'finding')} accepted, {_size(baseline)}"
    click.echo(terminal(message), err=True)
    return 0


def _keep_reason(acceptance: Acceptance, earlier: dict[str, Acceptance]) -> Acceptance:
    """Return the earlier acceptance of the same finding, if any, with its present description."""
    before = earlier.get(acceptance.fingerprint, acceptance)
    return replace(before, what=acceptance.what, verdict=acceptance.verdict)


def _size(baseline: Baseline) -> str:
    from tokharness.formats._wording import pluralize

    golden = pluralize(len(baseline.golden), "golden text")
    return f"ids of {golden}, {pluralize(len(baseline.metrics), 'metric')}"


def _earlier_acceptances(path: Path, name: str) -> dict[str, Acceptance]:
    """Read the acceptances of the file to replace; raises an error if it is not a baseline."""
    from tokharness.baseline.reading import read

    return {one.fingerprint: one for one in read(path, name).accepted} if path.exists() else {}
