"""Tell a report everywhere it is to be told: output, files, GitHub."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from typing import TYPE_CHECKING

from tokharness.cli._output import github, print_report, write_reports
from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokharness.plugins import Format
    from tokharness.results.report import Report

__all__ = ["tell"]

FOR_PEOPLE = ("terminal", "markdown")


@contextlib.contextmanager
def _no_commands(chosen: Format) -> Iterator[None]:
    """Have GitHub Actions obey nothing that a hostile text spells in a report for people."""
    if os.environ.get("GITHUB_ACTIONS") != "true" or chosen.name not in FOR_PEOPLE:
        yield
        return
    word = secrets.token_hex(16)
    sys.stdout.write(f"::stop-commands::{word}\n")
    try:
        yield
    finally:
        sys.stdout.write(f"::{word}::\n")
        sys.stdout.flush()


def tell(
    report: Report,
    chosen: Format,
    files: list[tuple[Format, Path]],
    failed: Sequence[str] = (),
) -> None:
    """Write the report files, print the report, and annotate where GitHub Actions runs us.

    Raises:
        UsageError: something could not be written; ``failed`` is what could not before.
        Exception: a report could not be made; the others are written.

    """
    unwritten = write_reports(report, files)
    unmade = next((one for one in unwritten if not isinstance(one, UsageError)), None)
    lost = [*failed, *map(str, unwritten)]
    with _no_commands(chosen):
        print_report(report, chosen)
    if chosen.name != "github":
        lost += github(report, sys.stdout if chosen.name in FOR_PEOPLE else sys.stderr)
    if unmade is not None:
        raise unmade
    if lost:
        raise UsageError("; ".join(lost))
