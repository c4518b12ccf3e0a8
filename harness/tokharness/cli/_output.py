"""Where a command's output goes: the standard output, and report files."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.plugins import Format
    from tokharness.report import Report

__all__ = ["print_report", "report_files", "use_color", "width", "write_reports"]


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
    files = []
    for word in words:
        name, equals, path = word.partition("=")
        if not equals or not path:
            raise UsageError(f"--report takes FORMAT=PATH, such as json=report.json, not {word!r}")
        chosen = plugins.find("format", name, plugins.formats())
        if not _is_stream(Path(path)):
            with _beside(Path(path)):
                pass
        files.append((chosen, Path(path)))
    return files


def print_report(report: Report, chosen: Format) -> None:
    """Write a report to the standard output."""
    sys.stdout.write(chosen.render(report, width=width(), color=use_color()))
    sys.stdout.flush()


def write_reports(report: Report, files: list[tuple[Format, Path]]) -> None:
    """Write each report file aside, then rename it; a failure loses only that report."""
    failed = []
    for chosen, path in files:
        text = chosen.render(report, width=None, color=False)
        try:
            if _is_stream(path):
                path.write_text(text, encoding="utf-8")
                continue
            with _beside(path) as aside:
                aside.write_text(text, encoding="utf-8")
                aside.replace(path)
        except (UsageError, OSError) as error:
            failed.append(str(error))
    if failed:
        raise UsageError("; ".join(failed))


def _is_stream(path: Path) -> bool:
    """Whether this is a pipe, a device or a link, which is written to and never replaced."""
    return path.is_symlink() or (path.exists() and not path.is_file() and not path.is_dir())


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Give a new file in the folder of ``path``, which is gone afterwards unless renamed."""
    if path.is_dir():
        raise UsageError(f"cannot write a report to {path}: it is a folder; name a file in it")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise UsageError(f"cannot write a report to {path}: {error.strerror}") from error
    os.close(handle)
    aside = Path(name)
    try:
        aside.chmod(0o644)
        yield aside
    finally:
        aside.unlink(missing_ok=True)
