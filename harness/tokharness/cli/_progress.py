"""How far a run is, on standard error, where that is a terminal."""

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

__all__ = ["with_progress"]

MOST_OF_A_CHECK = 8
"""New causes of one check that are told while a campaign goes on."""


def with_progress(events: Iterator[Event]) -> Iterator[Event]:
    """Pass events through, and draw how far each target is: families, rate, time that is left."""
    seen = _Seen()
    if not sys.stderr.isatty():
        for event in events:
            for line in seen.lines(event):
                click.echo(line, err=True)
            yield event
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
            for line in seen.lines(event):
                progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
            yield event


class _Seen:
    """The causes that a campaign sees for the first time, a line each; of very many the first."""

    def __init__(self) -> None:
        self._told: Counter[str] = Counter()
        self._causes: set[Cause] = set()

    def lines(self, event: Event) -> list[str]:
        """What to print of an event."""
        from tokharness.engine.events import Sighted

        if not isinstance(event, Sighted) or event.cause in self._causes:
            return []
        self._causes.add(event.cause)  # another check that sees it tells nothing new
        self._told[event.code] += 1
        if self._told[event.code] > MOST_OF_A_CHECK:
            return []
        what = f"{event.code} {event.name}: {terminal(str(event.cause))}"
        lines = [f"{event.seconds:7.1f} s  {what}"]
        if self._told[event.code] == MOST_OF_A_CHECK:
            lines.append(f"{'':10} further ones of {event.code} are in the report")
        return lines


class _Shown:
    """The bar of one target after another."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task
        self._shares: dict[str, dict[int, float]] = {}
        self._cases = 0

    def take(self, event: Event) -> None:
        """Draw what an event tells."""
        from tokharness.engine.events import (
            CasesTried,
            RoundTried,
            TargetFinished,
            TargetStarted,
            UnitTried,
        )

        if isinstance(event, TargetStarted):
            self._shares, self._cases = {}, 0
            name, total = terminal(event.target), len(event.families)
            self._progress.reset(self._task, description=name, total=total, tried="")
        elif isinstance(event, UnitTried):
            self._cases += event.cases
            self._shares.setdefault(event.family, {})[event.number] = 1 / event.units
            done = sum(sum(shares.values()) for shares in self._shares.values())
            self._progress.update(self._task, completed=done, tried=self._rate())
        elif isinstance(event, RoundTried):
            self._cases += event.cases
            words = f"{self._rate()}, {event.source}"
            self._progress.update(self._task, total=None, tried=words)
        elif isinstance(event, CasesTried):
            self._progress.update(self._task, tried=f"{self._cases:,} cases, diagnosing")
        elif isinstance(event, TargetFinished):
            self._progress.reset(self._task, description="loading", total=None, tried="")

    def _rate(self) -> str:
        task = self._progress.tasks[0]
        rate = self._cases / task.elapsed if task.elapsed else 0.0
        return f"{self._cases:,} cases, {rate:,.0f}/s"
