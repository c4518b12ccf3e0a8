"""``tokharness compare``: what vocabularies cost and what they keep whole, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokharness.cli._run_options import jobs_of, options_of

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
    help="Numbers of an embedding, for the memory that the vocabulary takes.",
)
@options_of("--format", "--report", "--jobs", "--time-limit")
def command(
    targets: tuple[str, ...],
    width: int,
    format_name: str,
    reports: tuple[str, ...],
    jobs: str,
    time_limit: float,
) -> int:
    """Compare what each TARGET costs: tokens by language, words, digits, code, memory.

    No case is tried and nothing is judged; `tokharness check` does that. The same texts are encoded
    by all: names that CLDR has in several hundred languages, and pages of English and source code.
    """
    from dataclasses import replace

    from tokharness import plugins
    from tokharness.cli._output import report_files
    from tokharness.cli._running import collected
    from tokharness.cli._telling import tell
    from tokharness.config import Options
    from tokharness.engine.run.comparing import compare
    from tokharness.results.comparison import MEASURED

    chosen = _comparing(plugins.find("format", format_name, plugins.formats()))
    files = [(_comparing(one), path) for one, path in report_files(reports)]
    options = Options(against="none", fail_on="never", time_limit=time_limit)
    events = compare(targets, options, MEASURED, jobs=jobs_of(jobs))
    report = replace(collected(events, options, targets), width=width)
    tell(report, chosen, files)
    return 130 if report.interrupted else 0


def _comparing(chosen: Format) -> Format:
    from tokharness import plugins
    from tokharness.errors import UsageError

    if not chosen.compares:
        names = ", ".join(name for name, one in plugins.formats().items() if one.compares)
        raise UsageError(f"the format {chosen.name} does not compare targets: take one of {names}")
    return chosen
