"""How far a run is, on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tokharness.escaping import terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress, TaskID

    from tokharness.engine.events import Event

__all__ = ["with_progress"]


def with_progress(events: Iterator[Event]) -> Iterator[Event]:
    """Pass events through, and draw how far each target is: families, rate, time that is left."""
    if not sys.stderr.isatty():
        yield from events
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[tried]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("loading", total=None, tried="")
        shown = _Shown(progress, task)
        for event in events:
            shown.take(event)
            yield event


class _Shown:
    """The bar of one target after another."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task
        self._shares: dict[str, dict[int, float]] = {}
        self._cases = 0

    def take(self, event: Event) -> None:
        """Draw what an event tells."""
        from tokharness.engine.events import CasesTried, TargetFinished, TargetStarted, UnitTried

        if isinstance(event, TargetStarted):
            self._shares, self._cases = {}, 0
            name, total = terminal(event.target), len(event.families)
            self._progress.reset(self._task, description=name, total=total, tried="")
        elif isinstance(event, UnitTried):
            self._cases += event.cases
            self._shares.setdefault(event.family, {})[event.number] = 1 / event.units
            done = sum(sum(shares.values()) for shares in self._shares.values())
            self._progress.update(self._task, completed=done, tried=self._rate())
        elif isinstance(event, CasesTried):
            self._progress.update(self._task, tried=f"{self._cases:,} cases, diagnosing")
        elif isinstance(event, TargetFinished):
            self._progress.reset(self._task, description="loading", total=None, tried="")

    def _rate(self) -> str:
        task = self._progress.tasks[0]
        rate = self._cases / task.elapsed if task.elapsed else 0.0
        return f"{self._cases:,} cases, {rate:,.0f}/s"
