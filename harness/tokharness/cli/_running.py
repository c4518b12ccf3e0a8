"""Run targets for a command: with progress, a journal, and a report also where Ctrl-C ends it."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.cli._resuming import Plan
    from tokharness.report import Report
    from tokharness.snapshot import Golden

__all__ = ["report_of"]


def report_of(plan: Plan, jobs: int, golden: Sequence[Golden] | None = None) -> Report:
    """Run the checks; with ``golden`` take snapshots too, as ``tokharness.engine.run`` says."""
    from tokharness.cli._progress import with_progress
    from tokharness.engine.run import run
    from tokharness.escaping import terminal
    from tokharness.report import Collector

    collector = Collector(plan.options)
    events = run(plan.targets, plan.options, jobs=jobs, before=plan.before, golden=golden)
    # What a target prints is not part of the report.
    with contextlib.redirect_stdout(sys.stderr), contextlib.closing(events):
        try:
            for event in with_progress(events):
                collector.add(event)
                if plan.journal is not None:
                    plan.journal.write(event)
        except KeyboardInterrupt:
            report = collector.report(interrupted=True)
            begun = {target.started.target for target in report.targets}
            if left := [terminal(spec) for spec in plan.targets if spec not in begun]:
                click.echo(f"tokharness: not checked: {', '.join(left)}", err=True)
            return report
    return collector.report()
