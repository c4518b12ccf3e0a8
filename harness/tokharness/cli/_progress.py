"""A progress bar on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tokharness.escaping import terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.engine.events import Event

__all__ = ["with_progress"]


def with_progress(events: Iterator[Event]) -> Iterator[Event]:
    """Pass events through, and draw how far the families of each target have come."""
    if not sys.stderr.isatty():
        yield from events
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from tokharness.engine.events import CasesTried, TargetFinished, TargetStarted

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("loading", total=None)
        for event in events:
            if isinstance(event, TargetStarted):
                total = len(event.families)
                name = terminal(event.target)
                progress.update(task, description=name, total=total, completed=0)
            elif isinstance(event, CasesTried):
                progress.advance(task)
            elif isinstance(event, TargetFinished):
                progress.update(task, description="loading")
            yield event
