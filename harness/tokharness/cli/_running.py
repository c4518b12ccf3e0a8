"""Run targets for a command: with progress, a journal, and a report also where Ctrl-C ends it."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tokharness.cli._resuming import Plan
    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.results.journal import Journal
    from tokharness.results.report import Report
    from tokharness.targets.snapshot import Golden

__all__ = ["collected", "report_of"]


def report_of(
    plan: Plan, jobs: int, golden: Sequence[Golden] | None = None, *, measures: bool = False
) -> Report:
    """Run the checks; take snapshots and collect metrics if asked for."""
    from tokharness.engine.run.run import run

    events = run(
        plan.targets,
        plan.options,
        jobs=jobs,
        before=plan.before,
        golden=golden,
        measures=measures,
    )
    return collected(events, plan.options, plan.targets, journal=plan.journal)


def collected(
    events: Generator[Event],
    options: Options,
    targets: Sequence[str],
    *,
    journal: Journal | None = None,
) -> Report:
    """Make the report of events as they come; an interrupted one where Ctrl-C ends them.

    Then it tells the ``targets`` that were not reached, on the standard error too.
    """
    from tokharness.cli._progress import with_progress
    from tokharness.results.report import Collector

    collector = Collector(options)

    def take(event: Event) -> None:
        collector.add(event)
        if journal is not None:
            journal.write(event)

    # What a target prints is not part of the report.
    with contextlib.redirect_stdout(sys.stderr), contextlib.closing(events):
        try:
            for event in with_progress(events):
                take(event)
        except KeyboardInterrupt:
            # Between two events nobody has told those who make them.
            with contextlib.suppress(KeyboardInterrupt, StopIteration):
                take(events.throw(KeyboardInterrupt()))
                for event in events:
                    take(event)
            return _interrupted(collector.report(interrupted=True), targets)
    return collector.report()


def _interrupted(report: Report, targets: Sequence[str]) -> Report:
    from tokharness.escaping import terminal

    begun = {target.started.target for target in report.targets}
    left = tuple(spec for spec in targets if spec not in begun)
    if left:
        click.echo(f"tokharness: interrupted before {', '.join(map(terminal, left))}", err=True)
    return replace(report, not_reached=left)
