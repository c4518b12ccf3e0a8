"""``tokharness report``: show the report of a run again, in any format."""

from __future__ import annotations

from pathlib import Path

import click

from tokharness.cli._run_options import options_of

__all__ = ["command"]


@click.command("report")
@click.argument("run", metavar="RUN.json")
@options_of("--format", "--report")
def command(run: str, format_name: str, reports: tuple[str, ...]) -> int:
    """Show the report of a run again: of RUN.json, which --report json=RUN.json has written.

    Nothing is run. A run that was made with --measure has all that a report in HTML shows. The exit
    code is 0, whatever was found: the run has told it.
    """
    from tokharness import plugins
    from tokharness.cli._output import report_files
    from tokharness.cli._telling import tell
    from tokharness.errors import UsageError
    from tokharness.results.report_file import read

    chosen = plugins.find("format", format_name, plugins.formats())
    files = report_files(reports)
    report = read(Path(run))
    try:
        tell(report, chosen, files)
    except (UsageError, OSError):
        raise
    except Exception as error:
        raise UsageError(f"{run} is damaged, or was edited: {error!r}") from error
    return 0
