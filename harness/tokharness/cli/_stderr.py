"""The standard error, for lines and bars that a run does not need: it may be closed meanwhile."""

from __future__ import annotations

import contextlib
import sys
from typing import IO, Any, cast

import click

__all__ = ["optional_output", "say"]


def say(line: str) -> None:
    """Write a line, already escaped."""
    with contextlib.suppress(OSError):
        click.echo(line, err=True)


def optional_output() -> IO[str]:
    """Return the standard error as a stream on which nothing fails, for a console of Rich."""
    return cast("IO[str]", _OptionalOutput())


class _OptionalOutput:
    def __init__(self) -> None:
        self._stream = sys.stderr

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
