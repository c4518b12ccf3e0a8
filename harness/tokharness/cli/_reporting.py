"""Emit a report to the standard output, to report files and to GitHub Actions."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from typing import TYPE_CHECKING

from tokharness.cli._output import annotate_github, print_findings, print_report, write_reports
from tokharness.errors import NotFinishedError, PluginError, UsageError
from tokharness.formats._wording import incomplete

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokharness.plugins import Format
    from tokharness.results.report import Report

__all__ = ["emit_report"]

TEXT_FORMATS = ("terminal", "markdown")


@contextlib.contextmanager
def _stop_commands(output_format: Format) -> Iterator[None]:
    """Keep GitHub Actions from running workflow commands that hostile text spells."""
    if os.environ.get("GITHUB_ACTIONS") != "true" or output_format.name not in TEXT_FORMATS:
        yield
        return
    token = secrets.token_hex(16)
    sys.stdout.write(f"::stop-commands::{token}\n")
    try:
        yield
    finally:
        sys.stdout.write(f"::{token}::\n")
        sys.stdout.flush()


def emit_report(
    report: Report,
    output_format: Format,
    files: list[tuple[Format, Path]],
    errors: Sequence[str] = (),
) -> None:
    """Write the report files, print the report, and annotate under GitHub Actions.

    Raises:
        UsageError: something could not be written, now or, if in ``errors``, earlier.
        PluginError: a plugin ended the run.
        NotFinishedError: something of the run was not finished.
        Exception: a report could not be rendered; the others are written.

    """
    failures = write_reports(report, files)
    with _stop_commands(output_format):
        try:
            print_report(report, output_format)
        except PluginError as error:  # a format failed; the findings are not lost
            failures.append(error)
            print_findings(report)
    internal_error = next((one for one in failures if not isinstance(one, UsageError)), None)
    messages = [*errors, *map(str, failures)]
    if output_format.name != "github":
        stream = sys.stdout if output_format.name in TEXT_FORMATS else sys.stderr
        messages += annotate_github(report, stream)
    if report.error is not None:
        raise report.error
    if internal_error is not None:
        raise internal_error
    if report.unfinished and not (report.interrupted or report.is_earlier):
        raise NotFinishedError("; ".join([incomplete(report), *messages]))
    if messages:
        raise UsageError("; ".join(messages))
