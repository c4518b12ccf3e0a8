"""A progress bar for training, on the standard error if it is a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress, TaskID

__all__ = ["Bar", "training_bar"]

REDRAW_EVERY = 100
"""Tokens, or units of 10,000 bytes, between two redraws, since each takes time."""


class Bar:
    """Callbacks for bytes read and tokens made; this class draws nothing."""

    def read(self, size: int) -> None:
        """Count ``size`` more bytes as read."""

    def made(self, tokens: int) -> None:
        """Set the number of tokens that the vocabulary has."""


class _RichBar(Bar):
    def __init__(self, progress: Progress, task: TaskID, vocab_size: int) -> None:
        self._progress, self._task = progress, task
        self._vocab_size = vocab_size
        self._size = self._shown = 0
        self._merging = False

    def read(self, size: int) -> None:
        self._size += size
        if self._size - self._shown >= REDRAW_EVERY * 10_000:
            self._shown = self._size
            status = f"{self._size / 1e6:,.0f} MB"
            self._progress.update(self._task, completed=self._size, status=status)

    def made(self, tokens: int) -> None:
        if not self._merging:
            self._merging = True
            self._progress.reset(
                self._task, description="merging", total=self._vocab_size, status=""
            )
        if tokens % REDRAW_EVERY == 0:
            self._progress.update(self._task, completed=tokens, status=f"{tokens:,} tokens")


@contextmanager
def training_bar(size: int | None, vocab_size: int) -> Iterator[Bar]:
    """Draw the bytes read, of ``size`` if that is known, then the tokens made."""
    if not sys.stderr.isatty():
        yield Bar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[status]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _RichBar(progress, progress.add_task("reading", total=size, status=""), vocab_size)
