"""Progress of a training on the standard error: a bar on a terminal, else a line at times."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tokharness.cli._heartbeat import heartbeat
from tokharness.cli._stderr import optional_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress, TaskID

__all__ = ["Bar", "training_bar"]

REDRAW_EVERY = 100
"""Tokens, or units of 10,000 bytes, between two redraws, since each takes time."""


class Bar:
    """Callbacks that count bytes read and tokens made; this class draws nothing."""

    def __init__(self, vocab_size: int) -> None:
        self._vocab_size = vocab_size
        self._size = self._tokens = 0

    def read(self, size: int) -> None:
        """Count ``size`` more bytes as read."""
        self._size += size

    def made(self, tokens: int) -> None:
        """Set the number of tokens that the vocabulary has."""
        self._tokens = tokens

    def __str__(self) -> str:
        if self._tokens:
            return f"merging: {self._tokens:,} of {self._vocab_size:,} tokens"
        return f"reading: {self._size / 1e6:,.1f} MB"


class _RichBar(Bar):
    def __init__(self, progress: Progress, task: TaskID, vocab_size: int) -> None:
        super().__init__(vocab_size)
        self._progress, self._task = progress, task
        self._shown = 0

    def read(self, size: int) -> None:
        super().read(size)
        if self._size - self._shown >= REDRAW_EVERY * 10_000:
            self._shown = self._size
            status = f"{self._size / 1e6:,.0f} MB"
            self._progress.update(self._task, completed=self._size, status=status)

    def made(self, tokens: int) -> None:
        if not self._tokens:
            self._progress.reset(
                self._task, description="merging", total=self._vocab_size, status=""
            )
        super().made(tokens)
        if tokens % REDRAW_EVERY == 0:
            self._progress.update(self._task, completed=tokens, status=f"{tokens:,} tokens")


@contextmanager
def training_bar(size: int | None, vocab_size: int) -> Iterator[Bar]:
    """Draw the bytes read, of ``size`` if that is known, then the tokens made."""
    if not sys.stderr.isatty():
        bar = Bar(vocab_size)
        with heartbeat(lambda: str(bar)):
            yield bar
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[status]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=optional_output()), transient=True) as progress:
        yield _RichBar(progress, progress.add_task("reading", total=size, status=""), vocab_size)
