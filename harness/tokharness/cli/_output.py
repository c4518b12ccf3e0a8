"""Emit reports: to the standard output, to report files and to GitHub Actions."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.atomic_write import check_writable, is_stream, write_text
from tokharness.errors import NotFinishedError, PluginError, UsageError
from tokharness.formats._wording import incomplete
from tokharness.results.report import find_format

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TextIO

    from tokharness.parity_matrix.model import Parity
    from tokharness.plugins import Format
    from tokharness.results.report import Report
    from tokharness.results.vocabulary_comparison import VocabularyComparison

    Shows = Report | VocabularyComparison | Parity

MAX_STEP_SUMMARY = 1 << 20
"""Most bytes of a step summary; GitHub drops a longer summary."""
TRUNCATED = "\n\nTruncated: GitHub accepts no longer summary.\n"


def use_color() -> bool:
    """Return whether the standard output is a terminal with colour (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def terminal_width() -> int | None:
    """Return the columns of the terminal; None if the output is not a terminal."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return shutil.get_terminal_size().columns
    return None


def parse_report_files(
    values: tuple[str, ...],
    *,
    compares: bool = False,
    instead: Mapping[str, Format] = MappingProxyType({}),
) -> list[tuple[Format, Path]]:
    """Parse ``FORMAT=PATH`` values; raises UsageError for a path that cannot be written.

    If the report ``compares`` targets, only formats for comparisons are allowed. Formats in
    ``instead`` replace formats of the same name.
    """
    files: list[tuple[Format, Path]] = []
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not path:
            raise UsageError(f"--report takes FORMAT=PATH, such as json=report.json, not {value!r}")
        output_format = instead.get(name) or find_format(name, compares=compares)
        try:
            check_writable(Path(path))
        except OSError as error:
            raise _cannot_write(Path(path), error) from error
        if any(_is_same(Path(path), earlier) for _, earlier in files):
            raise UsageError(f"--report names {path} twice: give each report its own path")
        files.append((output_format, Path(path)))
    return files


def _is_same(path: Path, earlier: Path) -> bool:
    return not is_stream(path) and os.path.realpath(path) == os.path.realpath(earlier)


def print_report(report: Shows, output_format: Format) -> None:
    """Write a report to the standard output."""
    sys.stdout.write(output_format.render(report, width=terminal_width(), color=use_color()))
    sys.stdout.flush()


def print_findings(report: Report) -> None:
    """Write a report to the standard error, as a terminal shows it."""
    sys.stderr.write(plugins.formats()["terminal"].render(report, width=None, color=False))


def write_reports(report: Shows, files: list[tuple[Format, Path]]) -> list[Exception]:
    """Write each report file; return the errors. An error loses only its own report."""
    errors: list[Exception] = []
    for output_format, path in files:
        try:
            write_text(path, output_format.render(report, width=None, color=False))
        except OSError as error:
            errors.append(_cannot_write(path, error))
        except Exception as error:
            error.add_note(f"while rendering the {output_format.name} report {path}")
            errors.append(error)
    return errors


def annotate_github(report: Report, stream: TextIO | None = None) -> list[str]:
    """Under GitHub Actions, write annotations to a stream, and the step summary.

    The stream defaults to the standard output. Pass the standard error, which GitHub reads too, if
    a program reads the standard output. Returns the errors of files that could not be written.
    """
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return []
    stream = stream or sys.stdout
    stream.write(plugins.formats()["github"].render(report, width=None, color=False))
    stream.flush()
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        return []
    text = plugins.formats()["markdown"].render(report, width=None, color=False)
    try:
        _append(Path(name), text.encode())
    except OSError as error:
        return [str(_cannot_write(Path(name), error))]
    return []


def _append(path: Path, text: bytes) -> None:
    """Append as many whole lines as the step summary has room for."""
    room = MAX_STEP_SUMMARY - (path.stat().st_size if path.exists() else 0)
    if len(text) > room:
        whole, _, _ = text[: max(room - len(TRUNCATED), 0)].rpartition(b"\n")
        text = whole + TRUNCATED.encode() if whole else b""
    with path.open("ab") as file:
        file.write(text)


def _cannot_write(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write a report to {path}: {error.strerror}")


# Emit a report to the standard output, to report files and to GitHub Actions.

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
        UsageError: a file could not be written, now or, if the error is in ``errors``, earlier.
        PluginError: a plugin ended the run.
        NotFinishedError: a part of the run was not finished.
        Exception: a report could not be rendered; the other reports are written.

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
