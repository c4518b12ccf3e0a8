"""``tokharness check``: run the case families on targets and report what breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._run_options import fail_on_option, run_options

if TYPE_CHECKING:
    from tokharness.cli._run_options import RunRequest
    from tokharness.results.report import Report

__all__ = ["command"]


@click.command("check")
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@run_options
@fail_on_option
@click.option(
    "--journal", metavar="PATH", help="Write the progress of the run to this file, for --resume."
)
@click.option("--resume", metavar="PATH", help="Continue the run of this journal.")
def command(targets: tuple[str, ...], **values: Any) -> int:
    """Check each TARGET on hostile Unicode text, and compare it with a reference.

    A TARGET is a spec such as tiktoken:cl100k_base, reference or python:FILE.py:FACTORY; see
    `tokharness list targets`. The default is the reference with the embedded vocabulary. CODE is
    the code of a check, a prefix of codes, or a name; separate several with commas.

    Targets run in separate processes: a crash, a hang or exhausted memory is a finding. A run with
    --journal that was killed can be continued with --resume.
    """
    from tokharness import plugins
    from tokharness.cli._output import parse_report_files
    from tokharness.cli._reporting import emit_report
    from tokharness.cli._run import run_checks
    from tokharness.cli._run_options import parse_run_options
    from tokharness.cli._run_plan import plan_run
    from tokharness.results.report import exit_code

    request = parse_run_options(values, targets)
    output_format = plugins.find("format", values["format_name"], plugins.formats())
    files = parse_report_files(values["reports"])
    plan = plan_run(values["journal"], values["resume"], request.specs, request.options)
    report = _with_policy(run_checks(plan, request.jobs, measures=request.measures), request)
    errors = []
    if plan.journal is not None:
        plan.journal.close()
        errors += [plan.journal.error] if plan.journal.error else []
    emit_report(report, output_format, files, errors)
    code = exit_code(report, request.options.fail_on)
    return code or int(_has_unmet_expectations(report, request))


def _with_policy(report: Report, request: RunRequest) -> Report:
    """Apply the policy, and locate each target in the repository."""
    from tokharness.cli._locations import find_location
    from tokharness.policy import apply_policy

    specs = [target.started.spec for target in report.targets]
    places = {spec: find_location(spec, [request.policy.path]) for spec in specs}
    return replace(apply_policy(report, request.policy), locations=places)


def _has_unmet_expectations(report: Report, request: RunRequest) -> bool:
    """Print the expectations of the policy that no finding meets; return whether there are any.

    A run of selected families, or an interrupted one, leaves this open: then there are none.
    """
    from tokharness.escaping import terminal
    from tokharness.policy import unmet_expectations

    complete = not report.interrupted and not report.options.families
    expectations = unmet_expectations(report, request.policy) if complete else ()
    for expectation in expectations:
        message = f"tokharness: no finding meets the expectation {expectation!r}"
        click.echo(terminal(message), err=True)
    return bool(expectations)
