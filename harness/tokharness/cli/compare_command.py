"""``tokharness compare``: the cost of vocabularies, side by side."""

from __future__ import annotations

import click

from tokharness.cli._shared_options import shared_options


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
@shared_options("--parallel", "--format", "--report", "--jobs", "--time-limit", "--load-limit")
def command(
    targets: tuple[str, ...],
    *,
    width: int,
    parallel: str | None,
    format_name: str,
    reports: tuple[str, ...],
    jobs: str,
    time_limit: float,
    load_limit: float,
) -> int:
    """Compare the token costs of several targets.

    The comparison shows the cost of languages, words, digits and code in tokens, the memory of the
    vocabulary, and how the length of sequences depends on the size of the vocabulary, next to
    bytes, characters and words. It runs no check; use `tokharness check` for that. All targets
    encode the same texts: names from CLDR in nearly 300 languages, and pages of English and of
    source code. Lengths of targets that lose text are marked. The cost of a language by names is an
    estimate, in bands; --parallel measures it in a text of yours.
    """
    from dataclasses import replace

    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run import collect_report, specs_of_words
    from tokharness.cli._run_request import parse_jobs, read_parallel
    from tokharness.engine.run.run import compare, comparison_options
    from tokharness.results.comparison import MEASURES
    from tokharness.results.report import find_format

    output_format = find_format(format_name, compares=True)
    files = parse_report_files(reports, compares=True)
    options = comparison_options(time_limit, load_limit)
    specs = specs_of_words(targets)
    text = None if parallel is None else read_parallel(parallel)
    events = compare(specs, options, MEASURES, jobs=parse_jobs(jobs), parallel=text)
    report = replace(
        collect_report(events, options, specs, task="measuring"), embedding_width=width
    )
    emit_report(report, output_format, files)
    return 130 if report.interrupted else 0
