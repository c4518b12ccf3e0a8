"""``tokharness compare``: the cost of vocabularies, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokharness.cli._option_values import parse_jobs
from tokharness.cli._shared_options import shared_options

if TYPE_CHECKING:
    from tokharness.plugins import Format

__all__ = ["command"]


@click.command("compare")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option(
    "--width",
    type=click.IntRange(min=1),
    default=4096,
    show_default=True,
    metavar="N",
    help="Embedding dimension, for the memory that the vocabulary takes.",
)
@shared_options("--format", "--report", "--jobs", "--time-limit")
def command(
    targets: tuple[str, ...],
    width: int,
    format_name: str,
    reports: tuple[str, ...],
    jobs: str,
    time_limit: float,
) -> int:
    """Compare the token costs of several targets.

    The comparison shows what languages, words, digits and code cost in tokens, and the memory of
    the vocabulary. It runs no check; use `tokharness check` for that. All targets encode the same
    texts: names from CLDR in nearly 300 languages, and pages of English and of source code.
    """
    from dataclasses import replace

    from tokharness import plugins
    from tokharness.cli._output import parse_report_files
    from tokharness.cli._reporting import emit_report
    from tokharness.cli._run import collect_report
    from tokharness.config import Options
    from tokharness.engine.run.comparison import compare
    from tokharness.results.comparison import MEASURES

    output_format = _require_comparison(plugins.find("format", format_name, plugins.formats()))
    files = [(_require_comparison(form), path) for form, path in parse_report_files(reports)]
    options = Options(against="none", fail_on="never", time_limit=time_limit)
    events = compare(targets, options, MEASURES, jobs=parse_jobs(jobs))
    report = replace(
        collect_report(events, options, targets, task="measuring"), embedding_width=width
    )
    emit_report(report, output_format, files)
    return 130 if report.interrupted else 0


def _require_comparison(output_format: Format) -> Format:
    from tokharness import plugins
    from tokharness.errors import UsageError

    if not output_format.compares:
        names = ", ".join(name for name, form in plugins.formats().items() if form.compares)
        raise UsageError(
            f"the format {output_format.name} cannot compare targets: use one of {names}"
        )
    return output_format
