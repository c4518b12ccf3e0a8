"""Progress of a run on the standard error: a bar on a terminal, else a line every ten seconds."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from tokharness.cli._heartbeat import heartbeat
from tokharness.cli._stderr import optional_output, say
from tokharness.config import Options
from tokharness.engine.events import CauseDiscovered, Event, SlowTarget
from tokharness.escaping import terminal

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from rich.progress import Progress

    from tokharness.cli._status import Status
    from tokharness.model import Cause

__all__ = ["show_progress"]

DEFAULTS = Options()
MAX_CAUSES_PER_CHECK = 8
"""Causes of one check that are printed during a campaign."""


def show_progress(
    events: Iterator[Event], status: Status, options: Options = DEFAULTS
) -> Generator[Event]:
    """Yield the events, show what the run is doing, and print what is to be known at once."""
    discoveries = _Discoveries()
    if not sys.stderr.isatty():
        with heartbeat(lambda: str(status)):
            for event in events:
                status.update(event)
                for line in [*slow_lines(event, options), *discoveries.lines(event)]:
                    say(line)
                yield event
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TimeElapsedColumn(),
        TextColumn("{task.fields[status]}", markup=False),
    )
    with Progress(*columns, console=Console(file=optional_output()), transient=True) as progress:
        bar = _Bar(progress, status)
        for event in events:
            bar.update(event)
            for line in [*slow_lines(event, options), *discoveries.lines(event)]:
                progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
            yield event


def slow_lines(event: Event, options: Options) -> list[str]:
    """Return what to print for a target that is slow: how long it takes, and what to do."""
    if not isinstance(event, SlowTarget):
        return []
    takes, usual = _duration(event.seconds), _duration(event.usual_seconds)
    what = f"{terminal(event.spec)} is slow: {event.texts:,} texts take about {takes}"
    unset = {"--profile quick": options.profile != "quick", "--family": not options.families}
    advice = " or ".join(name for name, helps in unset.items() if helps)
    fewer = f"; to run fewer, use {advice}" if advice else ""
    return [f"tokharness: {what}, not {usual} as usual{fewer}"]


def _duration(seconds: float) -> str:
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} s"


class _Discoveries:
    """The causes that a campaign discovers: a line for each, up to a limit per check."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._causes: set[Cause] = set()

    def lines(self, event: Event) -> list[str]:
        """Return the lines to print for an event."""
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

    def __init__(self, progress: Progress, status: Status) -> None:
        self._progress, self._status = progress, status
        self._task = progress.add_task(status.title, total=None, status="")

    def update(self, event: Event) -> None:
        """Redraw the bar for an event."""
        title = self._status.title
        self._status.update(event)
        status = self._status
        if status.title != title:
            self._progress.reset(self._task, description=status.title, total=status.total)
        words = [f"{status.cases:,} cases", status.what()] if status.cases else [status.what()]
        self._progress.update(self._task, completed=status.done, status=", ".join(words))
