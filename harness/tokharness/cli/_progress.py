"""Progress of a run on the standard error: a bar on a terminal, and the causes discovered."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from tokharness.escaping import terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress, TaskID

    from tokharness.engine.events import Event
    from tokharness.model import Cause

__all__ = ["show_progress"]

MAX_CAUSES_PER_CHECK = 8
"""Causes of one check that are printed during a campaign."""


def show_progress(events: Iterator[Event]) -> Iterator[Event]:
    """Yield the events, and draw the progress of each target: families, rate, time left."""
    discoveries = _Discoveries()
    if not sys.stderr.isatty():
        for event in events:
            for line in discoveries.lines(event):
                click.echo(line, err=True)
            yield event
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
        bar = _Bar(progress, progress.add_task("loading", total=None, status=""))
        for event in events:
            bar.update(event)
            for line in discoveries.lines(event):
                progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
            yield event


class _Discoveries:
    """The causes that a campaign discovers: a line for each, up to a limit per check."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._causes: set[Cause] = set()

    def lines(self, event: Event) -> list[str]:
        """Return the lines to print for an event."""
        from tokharness.engine.events import CauseDiscovered

        if not isinstance(event, CauseDiscovered) or event.cause in self._causes:
            return []
        self._causes.add(event.cause)  # printed once, also if several checks see it
        self._counts[event.code] += 1
        if self._counts[event.code] > MAX_CAUSES_PER_CHECK:
            return []
        what = f"{event.code} {event.name}: {terminal(str(event.cause))}"
        lines = [f"{event.seconds:7.1f} s  {what}"]
        if self._counts[event.code] == MAX_CAUSES_PER_CHECK:
            lines.append(f"{'':10} see the report for further causes of {event.code}")
        return lines


class _Bar:
    """The progress bar, reset for each target."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task
        self._shares: dict[str, dict[int, float]] = {}
        self._cases = 0

    def update(self, event: Event) -> None:
        """Redraw the bar for an event."""
        from tokharness.engine.events import (
            FamilyFinished,
            RoundFinished,
            TargetFinished,
            TargetStarted,
            UnitFinished,
        )

        if isinstance(event, TargetStarted):
            self._shares, self._cases = {}, 0
            name, total = terminal(event.spec), len(event.families)
            self._progress.reset(self._task, description=name, total=total, status="")
        elif isinstance(event, UnitFinished):
            self._cases += event.cases
            self._shares.setdefault(event.family, {})[event.number] = 1 / event.units
            done = sum(sum(shares.values()) for shares in self._shares.values())
            self._progress.update(self._task, completed=done, status=self._rate())
        elif isinstance(event, RoundFinished):
            self._cases += event.cases
            status = f"{self._rate()}, {event.source}"
            self._progress.update(self._task, total=None, status=status)
        elif isinstance(event, FamilyFinished):
            self._progress.update(self._task, status=f"{self._cases:,} cases, diagnosing")
        elif isinstance(event, TargetFinished):
            self._progress.reset(self._task, description="loading", total=None, status="")

    def _rate(self) -> str:
        task = self._progress.tasks[0]
        rate = self._cases / task.elapsed if task.elapsed else 0.0
        return f"{self._cases:,} cases, {rate:,.0f}/s"
