"""Output of a command: the standard output, report files, GitHub annotations."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.atomic_write import check_writable, is_stream, write_text
from tokharness.errors import UsageError
from tokharness.results.rendering import find_format

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

    from tokharness.plugins import Format
    from tokharness.results.report import Report
    from tokharness.results.vocabulary_comparison import VocabularyComparison

    Shows = Report | VocabularyComparison

__all__ = [
    "annotate_github",
    "parse_report_files",
    "print_findings",
    "print_report",
    "terminal_width",
    "use_color",
    "write_reports",
]

MAX_STEP_SUMMARY = 1 << 20
"""Bytes of a step summary; GitHub drops a longer one."""
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

    The formats are those of a comparison if it ``compares``. Those in ``instead`` replace others of
    the same name.
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
    return not is_stream(path) and path.resolve() == earlier.resolve()


def print_report(report: Shows, output_format: Format) -> None:
    """Write a report to the standard output."""
    sys.stdout.write(output_format.render(report, width=terminal_width(), color=use_color()))
    sys.stdout.flush()


def print_findings(report: Report) -> None:
    """Write a report to the standard error, as a terminal shows it."""
    sys.stderr.write(plugins.formats()["terminal"].render(report, width=None, color=False))


def write_reports(report: Shows, files: list[tuple[Format, Path]]) -> list[Exception]:
    """Write each report file; return the errors, each of which loses only its own report."""
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
    a program reads the standard output. Returns the errors of what could not be written.
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
