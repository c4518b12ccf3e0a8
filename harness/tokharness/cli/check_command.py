"""``tokharness check``: run targets through the case families and tell what breaks."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tokharness.config import Options
    from tokharness.report import Report

__all__ = ["command"]


@click.command("check")
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option(
    "--against",
    metavar="SPEC|none",
    help="Compare with this target instead of the automatic reference, or with none.",
)
@click.option(
    "--select",
    multiple=True,
    metavar="CODE",
    help="Run only these checks; see `tokharness list checks`.",
)
@click.option("--ignore", multiple=True, metavar="CODE", help="Leave these checks out.")
@click.option(
    "--family",
    multiple=True,
    metavar="NAME",
    help="Try only these case families; see `tokharness list families`.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["bug", "risk", "never"]),
    default="bug",
    show_default=True,
    help="Exit with 1 when a finding is at least this bad.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random cases.")
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="Random cases a family, beside its enumerated ones.",
)
@click.option(
    "--format",
    "format_name",
    metavar="FORMAT",
    default="terminal",
    show_default=True,
    help="Format of the output; see `tokharness list formats`.",
)
@click.option(
    "--report", "reports", multiple=True, metavar="FORMAT=PATH", help="Write a report file, too."
)
def command(
    *,
    targets: tuple[str, ...],
    against: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    family: tuple[str, ...],
    fail_on: str,
    seed: int,
    examples: int,
    format_name: str,
    reports: tuple[str, ...],
) -> int:
    """Check each TARGET: run it through hostile Unicode and compare it with a reference.

    A TARGET is a spec such as tiktoken:cl100k_base, reference, or python:FILE.py:FACTORY; see
    `tokharness list targets`. Without one, the reference is checked with the embedded vocabulary.
    CODE is a check's code, the beginning of one, or its name; commas separate several.
    """
    from tokharness import plugins
    from tokharness.cli._output import print_report, report_files, write_reports
    from tokharness.config import Options
    from tokharness.report import exit_code

    options = Options(
        against=against,
        select=_words(select),
        ignore=_words(ignore),
        families=_words(family),
        fail_on=fail_on,  # type: ignore[arg-type] # click has checked it
        seed=seed,
        examples=examples,
    )
    chosen = plugins.find("format", format_name, plugins.formats())
    files = report_files(reports)
    report = _run(targets or ("reference",), options)
    write_reports(report, files)
    print_report(report, chosen)
    return exit_code(report, options.fail_on)


def _words(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _run(targets: tuple[str, ...], options: Options) -> Report:
    """Run the checks; Ctrl-C ends them with a report of what was found until then."""
    from tokharness.cli._progress import with_progress
    from tokharness.engine.run import run
    from tokharness.report import Collector

    collector = Collector(options)
    # What a target prints is not part of the report.
    with contextlib.redirect_stdout(sys.stderr):
        try:
            for event in with_progress(run(targets, options)):
                collector.add(event)
        except KeyboardInterrupt:
            return collector.report(interrupted=True)
    return collector.report()
