"""``tokharness check``: run the case families on targets and report what breaks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._shared_options import actors_of, engine_option, fail_on_option, run_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.config import Options
    from tokharness.engine.run.scheduler import Elsewhere


@click.command("check")
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@run_options
@fail_on_option
@click.option(
    "--journal", metavar="PATH", help="Write the progress of the run to this file, for --resume."
)
@click.option("--resume", metavar="PATH", help="Continue the run of this journal.")
@engine_option("the texts of the families")
@click.option(
    "--require-target",
    is_flag=True,
    help="Fail without TARGET instead of checking the reference; for hooks and CI.",
)
def command(targets: tuple[str, ...], *, require_target: bool, **values: Any) -> int:
    """Check each TARGET on hostile Unicode text, and compare it with a reference.

    A TARGET is a spec such as tiktoken:cl100k_base, reference or python:FILE.py:FACTORY; see
    `tokharness list targets`. The path of a vocabulary, such as tokenizer.json, is a TARGET too.
    The default is the reference with the embedded vocabulary. CODE is the code of a check, a prefix
    of codes, or a name; separate several codes with commas.

    Targets run in separate processes: a crash, a hang or exhausted memory is a finding. A run with
    --journal that was killed can be continued with --resume.
    """
    from tokharness import plugins
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run import judge_expectations, plan_run, run_checks, with_policy
    from tokharness.cli._run_request import parse_run_options, refuse_unnamed_of_journal
    from tokharness.errors import UsageError
    from tokharness.escaping import terminal
    from tokharness.results.report import exit_code

    if require_target and not (targets or values["resume"]):
        raise UsageError(
            "there is no target: name one, such as tokenizer.json (in a pre-commit hook or "
            "the GitHub action, in args)"
        )
    request = parse_run_options(values, targets)
    output_format = plugins.find("format", values["format_name"], plugins.formats())
    files = parse_report_files(values["reports"])
    plan = plan_run(values["journal"], values["resume"], request.specs, request.options)
    if plan.journal is not None:
        click.get_current_context().call_on_close(plan.journal.close)
    if values["resume"]:
        refuse_unnamed_of_journal(Path(values["resume"]), plan, request)
    report = run_checks(
        plan,
        request.jobs,
        measures=request.measures,
        cached=request.cached,
        elsewhere=_on_ray(plan.options, values) if values["engine"] == "ray" else None,
    )
    report = with_policy(report, request)
    report, sentences = judge_expectations(report, request)
    errors = [plan.journal.error] if plan.journal is not None and plan.journal.error else []
    emit_report(report, output_format, files, errors)
    for sentence in sentences:
        click.echo(terminal(f"tokharness: {sentence}"), err=True)
    return exit_code(report, request.options.fail_on)


def _on_ray(options: Options, values: dict[str, Any]) -> Callable[[str], Elsewhere]:
    from tokharness.engine.run.on_ray import RayUnits

    return partial(RayUnits, options=options, jobs=actors_of(str(values["jobs"])))
