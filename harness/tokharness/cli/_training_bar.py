"""How far a training is, on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress, TaskID

__all__ = ["Bar", "training_bar"]

SELDOM = 100
"""Tokens, or ten thousands of bytes, after which the bar is drawn anew: that takes time too."""


class Bar:
    """Bytes read, then tokens made. This one draws nothing."""

    def read(self, size: int) -> None:
        """Take note that so many bytes more were read."""

    def made(self, tokens: int) -> None:
        """Take note that there are so many tokens."""


class _Drawn(Bar):
    def __init__(self, progress: Progress, task: TaskID, vocab_size: int) -> None:
        self._progress, self._task = progress, task
        self._vocab_size = vocab_size
        self._size = self._shown = 0
        self._merging = False

    def read(self, size: int) -> None:
        self._size += size
        if self._size - self._shown >= SELDOM * 10_000:
            self._shown = self._size
            told = f"{self._size / 1e6:,.0f} MB"
            self._progress.update(self._task, completed=self._size, told=told)

    def made(self, tokens: int) -> None:
        if not self._merging:
            self._merging = True
            self._progress.reset(self._task, description="merging", total=self._vocab_size, told="")
        if tokens % SELDOM == 0:
            self._progress.update(self._task, completed=tokens, told=f"{tokens:,} tokens")


@contextmanager
def training_bar(size: int | None, vocab_size: int) -> Iterator[Bar]:
    """Draw how much of ``size`` bytes, if that is known, is read, then how many tokens are made."""
    if not sys.stderr.isatty():
        yield Bar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[told]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _Drawn(progress, progress.add_task("reading", total=size, told=""), vocab_size)
