"""``tokharness check``: run targets through the case families and tell what breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._run_options import fail_on_option, run_options

if TYPE_CHECKING:
    from tokharness.cli._run_options import Asked
    from tokharness.results.report import Report

__all__ = ["command"]


@click.command("check")
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@run_options
@fail_on_option
@click.option(
    "--journal", metavar="PATH", help="Keep what happens in this file, to --resume from it."
)
@click.option("--resume", metavar="PATH", help="Complete the run of this journal.")
def command(targets: tuple[str, ...], **values: Any) -> int:
    """Check each TARGET: run it through hostile Unicode and compare it with a reference.

    A TARGET is a spec such as tiktoken:cl100k_base, reference, or python:FILE.py:FACTORY; see
    `tokharness list targets`. Without one, the reference is checked with the embedded vocabulary.
    CODE is a check's code, the beginning of one, or its name; commas separate several.

    A target runs in processes of its own, so that one that crashes, hangs or takes all memory is a
    finding. A run that was killed is completed with --resume, if it had a --journal.
    """
    from tokharness import plugins
    from tokharness.cli._output import report_files
    from tokharness.cli._resuming import journal_of
    from tokharness.cli._run_options import asked
    from tokharness.cli._running import report_of
    from tokharness.cli._telling import tell
    from tokharness.results.report import exit_code

    wanted = asked(values, targets)
    chosen = plugins.find("format", values["format_name"], plugins.formats())
    files = report_files(values["reports"])
    plan = journal_of(values["journal"], values["resume"], wanted.targets, wanted.options)
    report = _judged(report_of(plan, wanted.jobs, measures=wanted.measured), wanted)
    failed = []
    if plan.journal is not None:
        plan.journal.close()
        failed += [plan.journal.error] if plan.journal.error else []
    tell(report, chosen, files, failed)
    code = exit_code(report, wanted.options.fail_on)
    return code or int(_is_unmet(report, wanted))


def _judged(report: Report, wanted: Asked) -> Report:
    """Apply the policy, and say which file each target belongs to."""
    from tokharness.cli._places import place_of
    from tokharness.policy import applied

    specs = [target.started.target for target in report.targets]
    places = {spec: place_of(spec, [wanted.policy.path]) for spec in specs}
    return replace(applied(report, wanted.policy), places=places)


def _is_unmet(report: Report, wanted: Asked) -> bool:
    """Tell expectations of the policy that nothing met; whether there are any.

    A run of a few families, or one that was interrupted, does not say.
    """
    from tokharness.escaping import terminal
    from tokharness.policy import unmet

    whole = not report.interrupted and not report.options.families
    left = unmet(report, wanted.policy) if whole else ()
    for expectation in left:
        told = f"tokharness: nothing was found that meets the expectation {expectation!r}"
        click.echo(terminal(told), err=True)
    return bool(left)
