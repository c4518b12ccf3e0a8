"""``tokharness fuzz``: fuzz a target for a time, and save failing texts as regressions."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._shared_options import fail_on_option, run_options

if TYPE_CHECKING:
    from tokharness.cli._run_request import RunRequest
    from tokharness.engine.fuzz import Budget
    from tokharness.results.report import Report

DEFAULT_SECONDS = 60.0
TIME_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


@click.command("fuzz")
@click.argument("target")
@partial(run_options, without=("--examples", "--cache"))
@click.option(
    "--max-time",
    metavar="TIME",
    show_default="60s",
    help="Stop after this time: 90s, 5m, 1h.",
)
@click.option(
    "--max-examples",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N texts; with --database none, the same seed gives the same texts.",
)
@click.option(
    "--database",
    metavar="DIR|none",
    show_default=".hypothesis/examples",
    help="Keep the corpus in this folder, so that the next campaign continues; none: keep nothing.",
)
@fail_on_option
def command(target: str, **values: Any) -> int:
    """Fuzz TARGET with random texts, guided by new tokens.

    Texts come from the strategies of all case families, from the target's own tokens, from every
    code point in turn, and from mutations of texts that gave new tokens or new sequences of tokens.
    Bugs and risks are shrunk to a smallest text and written to cases/regressions; check and gate
    run these first.

    To continue a campaign, whether it was interrupted or finished, run the same command again.
    """
    from tokharness import plugins
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run_request import parse_run_options
    from tokharness.errors import UsageError
    from tokharness.results.report import exit_code

    request = parse_run_options({**values, "examples": None}, (target,))
    budget = _budget(values["max_time"], values["max_examples"])
    output_format = plugins.find("format", values["format_name"], plugins.formats())
    files = parse_report_files(values["reports"])
    report = _run_campaign(request, budget, _database(values["database"]))
    try:
        _write_regressions(report, request)
        errors = []
    except UsageError as error:  # the findings are not lost
        errors = [str(error)]
    emit_report(report, output_format, files, errors)
    return exit_code(report, request.options.fail_on)


def _run_campaign(request: RunRequest, budget: Budget, database: Path | None) -> Report:
    from dataclasses import replace

    from tokharness.cli._run import collect_report
    from tokharness.engine.fuzz import fuzz
    from tokharness.policy import apply_policy
    from tokharness.results.locations import find_location

    (spec,) = request.specs
    options = replace(request.options, enumerated=False)
    events = fuzz(
        spec,
        options,
        budget,
        jobs=request.jobs,
        database=database,
        measures=request.measures,
    )
    report = apply_policy(collect_report(events, options, [spec], task="fuzzing"), request.policy)
    return replace(report, locations={spec: find_location(spec, [request.policy.path])})


def _write_regressions(report: Report, request: RunRequest) -> None:
    """Write the smallest texts of the findings as regressions, which later runs try first."""
    from tokharness.engine import regressions
    from tokharness.escaping import terminal

    folder = Path(request.options.regressions or "cases/regressions")
    source = f"tokharness fuzz {request.specs[0]} --seed {request.options.seed}"
    # A finding of an audit has no families: its text is an example, and fails no check by itself.
    # Neither does the text of a finding whose cause is the state left by earlier texts.
    findings = [
        finding
        for target in report.targets
        for finding in target.findings
        if finding.families and finding.cause.kind != "state"
    ]
    for path in regressions.write_regressions(folder, findings, source=source):
        click.echo(terminal(f"wrote {path}"), err=True)


def _budget(max_time: str | None, max_examples: int | None) -> Budget:
    from tokharness.engine.fuzz import Budget

    if max_time is None:
        return Budget(None if max_examples else DEFAULT_SECONDS, max_examples)
    return Budget(_parse_seconds(max_time), max_examples)


def _parse_seconds(value: str) -> float:
    from tokharness.errors import UsageError

    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([smh]?)", value.strip())
    if match is None or float(match[1]) == 0:
        raise UsageError(f"--max-time takes a time such as 90s, 5m or 1h, not {value!r}")
    return float(match[1]) * TIME_UNITS[match[2]]


def _database(value: str | None) -> Path | None:
    """Return the folder; raises UsageError for files that a checkout has linked to the outside."""
    from tokharness.project import require_files, require_inside, root_of

    if value == "none":
        return None
    what = "the example database"
    if value is not None:
        return require_files(Path(value), what)
    # Hypothesis's default. Its function for this is not the same in every release.
    if storage := os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY"):
        return require_files(Path(storage, "examples"), what)
    folder = Path(".hypothesis", "examples")
    return require_files(require_inside(folder, root_of(Path.cwd()), what), what)
