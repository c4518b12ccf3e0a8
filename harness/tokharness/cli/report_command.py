"""``tokharness report``: convert a JSON report to any other format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from tokharness.cli._shared_options import shared_options


@click.command("report")
@click.argument("run", metavar="RUN.json")
@shared_options("--format", "--report")
def command(run: str, format_name: str, reports: tuple[str, ...]) -> int:
    """Show the report of an earlier run in any format.

    RUN.json is a file that --report json=RUN.json wrote. Nothing is run again. For a complete HTML
    report, the run needs --measure. The exit code is 0 even if the report has findings.
    """
    from tokharness import plugins
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.results.report_record import read

    output_format = plugins.find("format", format_name, plugins.formats())
    files = parse_report_files(reports)
    emit_report(replace(read(Path(run)), is_earlier=True), output_format, files)
    return 0
