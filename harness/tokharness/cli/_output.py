"""Where a command's output goes: the standard output, and report files."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.atomic_write import aside, is_stream, try_to_write
from tokharness.errors import UsageError

if TYPE_CHECKING:
    from typing import TextIO

    from tokharness.plugins import Format
    from tokharness.results.report import Report

__all__ = ["github", "print_report", "report_files", "use_color", "width", "write_reports"]

STEP_SUMMARY = 1 << 20
"""Bytes that GitHub takes of the summary of a step; it throws away one that is longer."""
CUT = "\n\nThe rest is left out: GitHub takes no longer summary.\n"


def use_color() -> bool:
    """Whether the standard output is a terminal that takes colour (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def width() -> int | None:
    """Columns of the terminal, None where the output is no terminal and lines may be long."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return shutil.get_terminal_size().columns
    return None


def report_files(words: tuple[str, ...]) -> list[tuple[Format, Path]]:
    """Read ``FORMAT=PATH`` words; a path that cannot be written is told before the work starts."""
    files: list[tuple[Format, Path]] = []
    for word in words:
        name, equals, path = word.partition("=")
        if not equals or not path:
            raise UsageError(f"--report takes FORMAT=PATH, such as json=report.json, not {word!r}")
        chosen = plugins.find("format", name, plugins.formats())
        try:
            try_to_write(Path(path))
        except OSError as error:
            raise _cannot_write(Path(path), error) from error
        if any(_is_same(Path(path), other) for _, other in files):
            raise UsageError(f"--report names {path} twice: give each report a path of its own")
        files.append((chosen, Path(path)))
    return files


def _is_same(path: Path, other: Path) -> bool:
    return not is_stream(path) and path.resolve() == other.resolve()


def print_report(report: Report, chosen: Format) -> None:
    """Write a report to the standard output."""
    sys.stdout.write(chosen.render(report, width=width(), color=use_color()))
    sys.stdout.flush()


def write_reports(report: Report, files: list[tuple[Format, Path]]) -> list[Exception]:
    """Write each report file; a failure loses only that report, and is in the answer."""
    failed: list[Exception] = []
    for chosen, path in files:
        try:
            text = chosen.render(report, width=None, color=False)
            if is_stream(path):
                path.write_text(text, encoding="utf-8")
                continue
            with aside(path) as beside:
                beside.write_text(text, encoding="utf-8")
                beside.replace(path)
        except OSError as error:
            failed.append(_cannot_write(path, error))
        except Exception as error:
            error.add_note(f"while making the {chosen.name} report {path}")
            failed.append(error)
    return failed


def github(report: Report, stream: TextIO | None = None) -> list[str]:
    """Where GitHub Actions runs us, write annotations to a stream and the summary of the step.

    The stream is the standard output. Give the standard error, which GitHub reads too, where the
    standard output is for a program. What could not be written is told in the answer.
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
    """Append to the summary of a step as much as it takes, in whole lines."""
    room = STEP_SUMMARY - (path.stat().st_size if path.exists() else 0)
    if len(text) > room:
        whole, _, _ = text[: max(room - len(CUT), 0)].rpartition(b"\n")
        text = whole + CUT.encode() if whole else b""
    with path.open("ab") as file:
        file.write(text)


def _cannot_write(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write a report to {path}: {error.strerror}")
