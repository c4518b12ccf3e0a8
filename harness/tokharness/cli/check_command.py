"""``tokharness check``: run targets through the case families and tell what breaks."""

from __future__ import annotations

import contextlib
import re
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tokharness.cli._resuming import Plan
    from tokharness.report import Report

__all__ = ["command"]

MOST_JOBS = 256
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


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
@click.option(
    "--profile",
    type=click.Choice(["quick", "standard", "thorough"]),
    default="standard",
    show_default=True,
    help="How thorough to be; see `tokharness list profiles`.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random cases.")
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    show_default="of the profile",
    help="Random cases a family, beside its enumerated ones.",
)
@click.option(
    "--jobs",
    metavar="N|auto",
    default="auto",
    show_default=True,
    help="Worker processes; 0 checks in this process, unprotected, for a debugger.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0.1),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for one text, beside an allowance for its length, before it is a hang.",
)
@click.option(
    "--memory-limit",
    metavar="SIZE",
    default="2G",
    show_default=True,
    help="Memory that the texts may take in a worker.",
)
@click.option(
    "--journal", metavar="PATH", help="Keep what happens in this file, to --resume from it."
)
@click.option("--resume", metavar="PATH", help="Complete the run of this journal.")
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
    profile: str,
    seed: int,
    examples: int | None,
    jobs: str,
    time_limit: float,
    memory_limit: str,
    journal: str | None,
    resume: str | None,
    format_name: str,
    reports: tuple[str, ...],
) -> int:
    """Check each TARGET: run it through hostile Unicode and compare it with a reference.

    A TARGET is a spec such as tiktoken:cl100k_base, reference, or python:FILE.py:FACTORY; see
    `tokharness list targets`. Without one, the reference is checked with the embedded vocabulary.
    CODE is a check's code, the beginning of one, or its name; commas separate several.

    A target runs in processes of its own, so that one that crashes, hangs or takes all memory is a
    finding. A run that was killed is completed with --resume, if it had a --journal.
    """
    from tokharness import plugins
    from tokharness.cli._output import print_report, report_files, write_reports
    from tokharness.cli._resuming import journal_of
    from tokharness.config import Options
    from tokharness.errors import UsageError
    from tokharness.report import exit_code

    options = Options(
        against=against,
        select=_words(select),
        ignore=_words(ignore),
        families=_words(family),
        fail_on=fail_on,  # type: ignore[arg-type] # click has checked it
        profile=profile,
        seed=seed,
        examples=examples,
        time_limit=time_limit,
        memory_limit=_bytes(memory_limit),
    )
    chosen = plugins.find("format", format_name, plugins.formats())
    files = report_files(reports)
    plan = journal_of(journal, resume, targets, options)
    report = _run(plan, _jobs(jobs))
    failed = write_reports(report, files)
    print_report(report, chosen)
    if plan.journal is not None:
        plan.journal.close()
        failed += [plan.journal.error] if plan.journal.error else []
    if failed:
        raise UsageError("; ".join(failed))
    return exit_code(report, options.fail_on)


def _words(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _bytes(size: str) -> int:
    from tokharness.errors import UsageError

    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", size, re.IGNORECASE)
    if found is None or float(found[1]) == 0:
        raise UsageError(f"--memory-limit takes a size such as 512M or 2G, not {size!r}")
    return int(float(found[1]) * UNITS[found[2].upper()])


def _jobs(word: str) -> int:
    from tokharness.engine.pool import automatic_jobs
    from tokharness.errors import UsageError

    if word == "auto":
        return automatic_jobs()
    if not word.isdecimal() or int(word) > MOST_JOBS:
        raise UsageError(f"--jobs takes a number from 0 to {MOST_JOBS}, or auto, not {word!r}")
    return int(word)


def _run(plan: Plan, jobs: int) -> Report:
    """Run the checks; Ctrl-C ends them with a report of what was found until then."""
    from tokharness.cli._progress import with_progress
    from tokharness.engine.run import run
    from tokharness.escaping import terminal
    from tokharness.report import Collector

    collector = Collector(plan.options)
    events = run(plan.targets, plan.options, jobs=jobs, before=plan.before)
    # What a target prints is not part of the report.
    with contextlib.redirect_stdout(sys.stderr), contextlib.closing(events):
        try:
            for event in with_progress(events):
                collector.add(event)
                if plan.journal is not None:
                    plan.journal.write(event)
        except KeyboardInterrupt:
            report = collector.report(interrupted=True)
            begun = {target.started.target for target in report.targets}
            if left := [terminal(spec) for spec in plan.targets if spec not in begun]:
                click.echo(f"tokharness: not checked: {', '.join(left)}", err=True)
            return report
    return collector.report()
